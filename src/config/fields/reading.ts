import { randomUUID } from 'node:crypto';
import type * as z from 'zod';
import type { FieldTraits } from '../../kind/traits.ts';
import type { Diagnostic } from '../../model/diagnostic.ts';
import type { Sealed } from '../../model/sealed.ts';
import type { Hole } from '../../model/value.ts';
import { containsValue, inside, setOwn } from '../../model/walk.ts';
import type { Step } from '../expressions/parse-expressions.ts';
import type { CopiedField, Node } from '../yaml/nodes.ts';

export type FieldPath = (string | number)[];

/** A problem found in a block, by the path of a field; `node` where the place is known better. */
export interface Finding {
  code: string;
  message: string;
  hint?: string;
  path: FieldPath;
  node?: Node;
  related?: Diagnostic['related'];
  /** The key of the field, not its value, is what is wrong. */
  onKey?: true;
  /** The names that are known at an unknown key. */
  known?: Readonly<Record<string, z.ZodType>>;
  severity?: 'warning';
}

/** A hole, standing in as a text while zod looks at the fields. */
interface Placed {
  path: FieldPath;
  hole: Hole | Sealed;
}

/** What an expression such as `${projects.web.id}` leads to. */
export interface Referenced {
  /** A hole, or the value that the configuration states. */
  value: Hole | Node;
  /** The field, if its value is not stated; an id has no schema, and is text. */
  live?: { from: CopiedField; schema: z.ZodType | undefined };
}

/** A value that was taken from another resource: the field it comes from, and the place it was put at. */
export interface Copy {
  from: CopiedField;
  path: FieldPath;
  node: Node;
  /** Those of the field that takes it. */
  traits: FieldTraits;
}

/** Turns expressions and names of resources into values. */
export interface Resolver {
  /** Follows `${projects.web.id}`; undefined where a problem was reported. */
  reference(steps: Step[], node: Node): Referenced | undefined;
  /** The plain name in a field with the `ref` trait. */
  named(kind: string, name: string, node: Node): Hole;
  /** A plain name in a field with the `softRef` trait: nothing but an order. */
  mention(kind: string, name: string, node: Node): void;
}

/** Collects what comes up while the fields of one block are read. */
export interface Reading {
  resolver: Resolver;
  findings: Finding[];
  holes: Placed[];
  /** The values that were taken from secret or live fields of other resources. */
  copies: Copy[];
  /** A value that others move may stand here: it is looked up when it is sent. */
  takesMoving?: true;
  /** A value could not be made out, which was reported. */
  isPoisoned: boolean;
  /** Fields with the secret trait. */
  secrets: { path: FieldPath; node: Node; traits: Pick<FieldTraits, 'secret' | 'inClear'> }[];
}

// Nobody can write this by accident or on purpose; it survives a schema that changes case.
const nonce = randomUUID();
const pattern = new RegExp(`^hole:(\\d+):${nonce}$`, 'i');

/** Puts a hole at a path; the answer stands in for it. */
export function placeHole(reading: Reading, path: FieldPath, hole: Hole | Sealed): string {
  return `hole:${reading.holes.push({ path, hole }) - 1}:${nonce}`;
}

/** The value with its holes back in place; undefined if a schema changed the text that stood in for one. */
export function restoreHoles(value: unknown, reading: Reading): { value: unknown } | undefined {
  let broken = false;
  const restore = (item: unknown): unknown => {
    if (typeof item === 'string') {
      if (reading.holes.length === 0) return item;
      const index = pattern.exec(item)?.[1];
      if (index === undefined && item.toLowerCase().includes(nonce)) broken = true;
      return index === undefined ? item : reading.holes[Number(index)]!.hole;
    }
    if (Array.isArray(item)) return item.map(restore);
    if (typeof item !== 'object' || item === null) return item;
    const copy: Record<string, unknown> = {};
    for (const [name, member] of Object.entries(item))
      if (member !== undefined) setOwn(copy, name, restore(member));
    return copy;
  };
  const restored = restore(value);
  return broken ? undefined : { value: restored };
}

export const isAtHole = (path: FieldPath, reading: Reading): boolean =>
  reading.holes.some(
    (hole) => hole.path.length <= path.length && hole.path.every((step, i) => step === path[i]),
  );

/** Stands for another resource's field until that is looked up. */
export const waiting: Hole = { $join: [''] };

export const holdsWaiting = (value: unknown): boolean =>
  containsValue(value, (one) => one === waiting || (typeof one === 'object' && inside));
