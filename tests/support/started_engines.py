# SPDX-License-Identifier: Apache-2.0
"""Ray and Spark as their users start them, with processes of their own, and Chromium."""

import logging
import os
import shutil
import sys
from contextlib import contextmanager
from pathlib import Path


@contextmanager
def ray_started(megabytes=300):
    """The module `ray`, started with two CPUs and an object store."""
    import ray
    import ray.data

    ray.init(
        num_cpus=2,
        include_dashboard=False,
        log_to_driver=False,
        logging_level="error",
        object_store_memory=megabytes << 20,
    )
    ray.data.DataContext.get_current().enable_progress_bars = False
    logging.getLogger("ray.data").setLevel(logging.CRITICAL)
    try:
        yield ray
    finally:
        ray.shutdown()


@contextmanager
def spark_started(megabytes=1024, **settings):
    """A session of Spark with two executors; ImportError where Spark or Java is missing."""
    import pyspark
    from pyspark.sql import SparkSession

    if not shutil.which("java") and not os.environ.get("JAVA_HOME"):
        raise ImportError("Spark needs Java")
    # Executors find their scripts there, and run this Python.
    os.environ["SPARK_HOME"] = str(Path(pyspark.__file__).parent)
    os.environ["PYSPARK_PYTHON"] = sys.executable
    os.environ["SPARK_LOCAL_IP"] = "127.0.0.1"
    builder = SparkSession.builder.master(f"local-cluster[2,1,{megabytes}]")
    options = {
        "spark.executor.memory": f"{megabytes}m",
        "spark.log.level": "OFF",
        "spark.sql.shuffle.partitions": 2,
        "spark.ui.enabled": False,
        "spark.ui.showConsoleProgress": False,
        **settings,
    }
    for name, value in options.items():
        builder = builder.config(name, value)
    session = builder.getOrCreate()
    try:
        yield session
    finally:
        session.stop()


@contextmanager
def chromium_started():
    """Chromium without a window, or None where it or Playwright is missing.

    TRUEBLEU_CHROMIUM names another program.
    """
    programs = map(shutil.which, ("chromium-headless-shell", "chromium"))
    path = os.environ.get("TRUEBLEU_CHROMIUM") or next(filter(None, programs), None)
    try:
        from playwright.sync_api import sync_playwright
    except ImportError:
        path = None
    if path is None:
        yield None
        return
    # Chromium has no sandbox for root, as whom tests run in containers.
    arguments = ["--no-sandbox"] if os.geteuid() == 0 else []
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=arguments)
        yield browser
        browser.close()
