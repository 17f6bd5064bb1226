// The children of a node of a syntax tree, as the headers of tree-sitter's runtime describe them. Its
// public functions hide missing tokens that have no name in the grammar, which S-expressions show.
#include <string.h>

#include "language.h"

typedef struct {
  const Subtree *subtree;
  uint32_t children;
  uint32_t visible_children;
  int32_t character;   // that no token begins with
  uint16_t symbol;     // or its alias
  uint16_t alias;      // or 0
  uint16_t field;      // in its parent, or 0
  uint8_t is_visible;
  uint8_t is_printed;
  uint8_t is_extra;
  uint8_t token;       // 0, or 1 if missing, 2 if missing and printed in quotes, 3 if unexpected
} Node;

static Node node(const TSLanguage *language, const Subtree *subtree, TSSymbol alias) {
  Subtree self = *subtree;
  bool is_named = ts_subtree_named(self);
  bool alias_is_named = alias && language->symbol_metadata[alias].named;
  bool is_missing = ts_subtree_missing(self);
  uint32_t count = ts_subtree_child_count(self);
  Node result = {
    .subtree = subtree,
    .children = count,
    .visible_children = ts_subtree_visible_child_count(self),
    .symbol = alias ? alias : ts_subtree_symbol(self),
    .alias = alias,
    .is_visible = ts_subtree_visible(self) || alias,
    .is_printed = is_missing || (alias ? alias_is_named : ts_subtree_visible(self) && is_named),
    .is_extra = ts_subtree_extra(self),
  };
  if (ts_subtree_is_error(self) && count == 0 && self.ptr->size.bytes > 0) {
    result.character = self.ptr->lookahead_char;
    result.token = 3;
  } else if (is_missing) {
    result.token = alias_is_named || is_named ? 1 : 2;
  }
  return result;
}

void truebleu_root(const TSLanguage *language, const Subtree *subtree, Node *result) {
  *result = node(language, subtree, 0);
}

// Writes as many children as the node has, at least one.
void truebleu_children(const TSLanguage *language, const Subtree *subtree, Node *result) {
  Subtree self = *subtree;
  uint16_t production = self.ptr->production_id;
  const TSSymbol *aliases = ts_language_alias_sequence(language, production);
  const TSFieldMapEntry *fields, *end;
  ts_language_field_map(language, production, &fields, &end);
  const Subtree *children = ts_subtree_children(self);
  uint32_t place = 0;  // without extras
  for (uint32_t i = 0; i < self.ptr->child_count; i++) {
    if (ts_subtree_extra(children[i])) {
      result[i] = node(language, &children[i], 0);
      continue;
    }
    result[i] = node(language, &children[i], aliases ? aliases[place] : 0);
    for (const TSFieldMapEntry *field = fields; field < end; field++) {
      if (!field->inherited && field->child_index == place) {
        result[i].field = field->field_id;
        break;
      }
    }
    place++;
  }
}

// The size of a copy of the language.
size_t truebleu_size(const TSLanguage *language) {
  return sizeof(TSLanguage) + (size_t)language->state_count * language->symbol_count * sizeof(uint16_t);
}

// Copies the language into zeros, with the whole row of each state in its parse table. Most are stored
// as lists, and searching them is a quarter of the time in which Python is parsed.
void truebleu_copy(const TSLanguage *language, TSLanguage *result) {
  size_t width = language->symbol_count;
  uint32_t first = language->large_state_count;
  uint16_t *table = (uint16_t *)(result + 1);
  memcpy(table, language->parse_table, first * width * sizeof(uint16_t));
  for (uint32_t state = first; state < language->state_count; state++) {
    const uint16_t *next = language->small_parse_table + language->small_parse_table_map[state - first];
    for (uint16_t groups = *next++; groups > 0; groups--) {
      uint16_t value = *next++;
      for (uint16_t symbols = *next++; symbols > 0; symbols--) table[state * width + *next++] = value;
    }
  }
  *result = *language;
  result->parse_table = table;
  result->large_state_count = language->state_count;
}
