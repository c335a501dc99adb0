import type { Fields } from '../model/value.ts';

/** A map as it is written: entries in order, each with comments above it. */
export class WrittenMap {
  readonly entries: WrittenEntry[] = [];
  /** Above the map itself, where it stands in a list. */
  readonly comments: string[];

  constructor(comments: string[] = []) {
    this.comments = comments;
  }

  add(key: string, value: Written, comments: string[] = []): this {
    this.entries.push({ key, value, comments });
    return this;
  }
}

export interface WrittenEntry {
  key: string;
  value: Written;
  comments: string[];
}

/** JSON, a map, or a list of maps. */
export type Written = null | boolean | number | string | WrittenMap | Written[] | Fields;
