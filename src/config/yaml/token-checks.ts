/*
 * Decides whether tokens may hold a syntax error.
 *
 * The parser of `yaml` accepts nearly everything. Only its slow document layer finds errors such as "a value begins on the line of a nested key" or
 * "a comment touches the text before it". The functions here recognize the token sequences of ordinary files without errors. All other sequences
 * count as suspicious, including correct ones: then `findSyntaxErrors` asks the document layer.
 *
 * "Gap": white space in front of a token. A comment needs one.
 */

import type { CST } from 'yaml';
import { maxKeyLength } from './nodes.ts';

/** The tokens in front of a node: its anchor and tag, and the indicator (`-`, `:`, `?`, `---`) that announces it. */
export interface Props {
  anchor: CST.SourceToken | undefined;
  tag: CST.SourceToken | undefined;
  indicator: CST.SourceToken | undefined;
  hasNewline: boolean;
  hasComma: boolean;
  needsFullCheck: boolean;
}

const noProps: Props = {
  anchor: undefined,
  tag: undefined,
  indicator: undefined,
  hasNewline: false,
  hasComma: false,
  needsFullCheck: false,
};

/**
 * Returns the props of a YAML node, by the `tokens` in front of it: anchor (`&name`), tag (`!!str`), and the
 * `indicator`, the kind of sign that announces the node (`-`, `:`, `?`, `---`). With `isFlow` they stand in
 * brackets, where commas and tabs are allowed. `needsFullCheck` is set if their order is unusual, because the
 * text may have a syntax error there: a comment without a gap in front, for example. Runs several times for
 * every value of a file.
 */
export function readProps(
  tokens: readonly CST.SourceToken[],
  indicator: CST.SourceToken['type'],
  isFlow = false,
): Props {
  if (tokens.length === 0) return noProps;
  const props = { ...noProps };
  // In blocks, all but the tokens behind a key begin a line.
  let hasGap = !isFlow && indicator !== 'map-value-ind';
  let needsGap = false;
  for (const token of tokens) {
    const { type, source } = token;
    const isGap = type === 'space' || type === 'newline';
    // Behind an anchor there has to be a gap.
    if (needsGap && !isGap) props.needsFullCheck = true;
    needsGap = false;
    if (type === 'space') {
      // Outside of brackets a tab may be wrong indentation.
      if (!isFlow && source.includes('\t')) props.needsFullCheck = true;
    } else if (type === 'newline') props.hasNewline = true;
    else if (type === 'comment') {
      // Without a gap, it would be a part of the text in front of it.
      if (!hasGap) props.needsFullCheck = true;
    } else if (type === indicator) {
      // The sign comes before anchor and tag.
      if (props.indicator || props.anchor || props.tag) props.needsFullCheck = true;
      props.indicator = token;
    } else if (type === 'comma' && isFlow && token === tokens[0]) props.hasComma = true;
    else if (type === 'anchor') {
      if (props.anchor || !isOrdinaryName(source)) props.needsFullCheck = true;
      props.anchor = token;
      needsGap = true;
    } else {
      if (type === 'tag') props.tag = token;
      props.needsFullCheck = true;
    }
    hasGap = isGap;
  }
  if (needsGap) props.needsFullCheck = true;
  return props;
}

/**
 * True if the source of a YAML anchor or alias, `&name` or `*name`, has a name, and no colon that could belong to a key. Used to run the
 * slow check for syntax errors only where it is needed.
 */
export const isOrdinaryName = (source: string): boolean => source.length > 1 && !source.endsWith(':');

/**
 * True if the tokens behind a YAML node, from the index `from` on, are only blanks and comments, each comment
 * behind a gap. Otherwise the text may have a syntax error there, and the slow check for errors has to run.
 * Most files have none, so they need no slow check.
 */
export function isOrdinaryEnd(tokens: readonly CST.SourceToken[] | undefined, from = 0): boolean {
  if (!tokens) return true;
  let hasGap = false;
  for (let index = from; index < tokens.length; index++) {
    const { type } = tokens[index]!;
    if (type === 'space' || type === 'newline') hasGap = true;
    else if (type !== 'comment' || !hasGap) return false;
  }
  return true;
}

/**
 * True if a key of a YAML map is a scalar on one line, in the column of its map, with its colon nearby. A
 * text with any other key may have a syntax error, so the slow check for errors has to run. Most files have
 * none, so they need no slow check.
 */
export function isOrdinaryKey(key: CST.Token, colon: CST.SourceToken, map: CST.BlockMap): boolean {
  return (
    (key.type === 'scalar' || key.type === 'single-quoted-scalar' || key.type === 'double-quoted-scalar') &&
    key.indent === map.indent &&
    key.end === undefined &&
    !key.source.includes('\n') &&
    colon.offset - key.offset <= maxKeyLength
  );
}
