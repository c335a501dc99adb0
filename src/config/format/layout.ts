import type { CST } from 'yaml';

/** A comment that has its line to itself, with the column (from 0) in which it begins; or blank lines, however many. */
export type Line = { comment: string; indent: number } | 'blank';

/** A value or a key as it is written: what stands before it, itself, and the comment behind it on its last line. */
export interface LayoutNode {
  /** Anchor and tag, in the order in which they are written. */
  props: string[];
  /** The comment on the line of the `-`, the `key:` or the `---` that it belongs to. */
  head?: string;
  /** The lines between that one and the content. */
  before: Line[];
  /** Without content it is an empty value. */
  content?: ScalarContent | CollectionContent;
  trailing?: string;
}

export interface ScalarContent {
  type: 'scalar';
  token: CST.FlowScalar | CST.BlockScalar;
}

export interface CollectionContent {
  type: 'map' | 'list';
  /** Written in brackets. */
  isFlow: boolean;
  entries: LayoutEntry[];
}

/** An entry of a map, or with a value only of a list; with neither it holds the comments behind the last entry. */
export interface LayoutEntry {
  lead: Line[];
  key?: LayoutNode;
  /** Missing in a map if there is no `:` either. */
  value?: LayoutNode;
}

/** One thing on the outermost level of a file, in order. */
export type StreamPart =
  | { type: 'lines'; lines: Line[] }
  | { type: 'marker'; text: string; comment?: string }
  | { type: 'root'; node: LayoutNode };

export const emptyNode = (): LayoutNode => ({ props: [], before: [] });
