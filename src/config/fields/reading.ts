/**
 * State and types that are shared while the fields of one block are read.
 *
 * Zod checks plain values, but a field may contain a hole: a value that is known only later, such as a secret. So `placeHole` puts a
 * unique text (`hole:3:NONCE`) in its place, zod checks the value with that text, and `restoreHoles` puts the hole back.
 */
import { randomUUID } from 'node:crypto';
import type * as z from 'zod';
import type { FieldTraits } from '../../kind/traits.ts';
import type { Diagnostic } from '../../model/diagnostic.ts';
import { computeOnce } from '../../model/graph.ts';
import type { Sealed } from '../../model/sealed.ts';
import type { Hole } from '../../model/value.ts';
import { containsValue, setOwn, visitMembers } from '../../model/walk.ts';
import type { PathStep } from '../expressions/parse-expressions.ts';
import type { CopiedField, Node } from '../yaml/nodes.ts';

/** The path to a part of a field: the field, then keys of maps and indexes of lists. */
export type FieldPath = (string | number)[];

/** A problem in a block, at the path of a field. `node` is set if a more exact place is known. */
export interface FieldProblem {
  code: string;
  message: string;
  hint?: string;
  path: FieldPath;
  node?: Node;
  related?: Diagnostic['related'];
  /** Set if the key of the field is wrong, not its value. */
  onKey?: true;
  /** The valid key that an unknown one probably means. */
  meantKey?: string | undefined;
  /** The schemas of the valid keys, at an unknown key. */
  validFields?: Readonly<Record<string, z.ZodType>>;
  severity?: 'warning';
}

/** A hole at a path, which a text represents while zod checks the fields. */
interface PlacedHole {
  path: FieldPath;
  hole: Hole | Sealed;
}

/** The value that an expression such as `${projects.web.id}` stands for. */
export interface ReferencedValue {
  /** A hole, or the value that the configuration states. */
  value: Hole | Node;
  /**
   * The field, if only the account has its value. Not set for an id, because an id is always text and no
   * secret.
   */
  live?: { from: CopiedField; schema: z.ZodType | undefined };
}

/** A value that was taken from another resource: its source, and the path that it was copied to. */
export interface CopyOfField {
  from: CopiedField;
  path: FieldPath;
  node: Node;
  /** The traits of the field that takes it. */
  traits: FieldTraits;
}

/** Turns expressions and names of resources into values. */
export interface Resolver {
  /** Returns the value of a reference such as `${projects.web.id}`; undefined after it reported a problem. */
  resolveReference(steps: PathStep[], node: Node): ReferencedValue | undefined;
  /** Returns the hole for a plain name in a field with the `ref` trait. */
  resolveName(kind: string, name: string, node: Node): Hole;
  /**
   * Records a plain name in a field with the `softRef` trait. It need not be declared, but must not form a
   * cycle.
   */
  recordMention(kind: string, name: string, node: Node): void;
}

/** The state of reading the fields of one block, which the functions of this folder fill. */
export interface FieldReading {
  resolver: Resolver;
  fieldProblems: FieldProblem[];
  holes: PlacedHole[];
  /** The values that were taken from secret or live fields of other resources. */
  copies: CopyOfField[];
  /**
   * Set where a lookup with a changing result may be used: in the input of actions, whose lookups are read when the
   * action is sent.
   */
  allowsMovingLookups?: true;
  /**
   * True if a value could not be determined and the problem was reported. The fields are then only good for messages.
   */
  hasReportedProblem: boolean;
  /** The values of fields with the secret trait. */
  secrets: { path: FieldPath; node: Node; traits: Pick<FieldTraits, 'secret' | 'inClear'> }[];
}

/**
 * Creates the empty state for reading the fields of one block, or the input of one action. Reading adds to it the
 * problems, the secrets, the holes (values that are known only later, such as references to ids), and the copies
 * (values that are taken from secret or live fields of other resources). Each block has its own state, so that its
 * problems can be reported at its address. `resolver`: finds the values of references in this block.
 */
export const createReading = (resolver: Resolver): FieldReading => ({
  resolver,
  fieldProblems: [],
  holes: [],
  copies: [],
  hasReportedProblem: false,
  secrets: [],
});

/** Returns a random text, so that no configuration can contain it, even on purpose. It survives a schema that changes case. */
const nonce = computeOnce(randomUUID);
const holePattern = computeOnce(() => new RegExp(`^hole:(\\d+):${nonce()}$`, 'i'));

/**
 * Records a hole (a value that is known only later) at a path, and returns a unique text that represents it while zod
 * checks the fields. `restoreHoles` replaces the text by the hole afterwards.
 */
export function placeHole(reading: FieldReading, path: FieldPath, hole: Hole | Sealed): string {
  return `hole:${reading.holes.push({ path, hole }) - 1}:${nonce()}`;
}

/**
 * Returns a value in which texts that stand for a value that is known later (a hole, such as a secret; see `placeHole`) are replaced by the
 * hole itself. Called after zod has checked a field, because zod takes only plain values. Returns undefined if the schema changed such a
 * text other than by its case, for example by a prefix, so that it no longer names its hole.
 */
export function restoreHoles(value: unknown, reading: FieldReading): { value: unknown } | undefined {
  let isBroken = false;
  const restore = (item: unknown): unknown => {
    if (typeof item === 'string') {
      if (reading.holes.length === 0) return item;
      const index = holePattern().exec(item)?.[1];
      // Every text for a hole contains the nonce, a random word. If the text is changed, at least the word is still there.
      if (index === undefined && item.toLowerCase().includes(nonce())) isBroken = true;
      return index === undefined ? item : reading.holes[Number(index)]!.hole;
    }
    if (Array.isArray(item)) return item.map(restore);
    if (typeof item !== 'object' || item === null) return item;
    const copy: Record<string, unknown> = {};
    for (const name in item) {
      const member = (item as Record<string, unknown>)[name];
      if (member !== undefined) setOwn(copy, name, restore(member));
    }
    return copy;
  };
  const restored = restore(value);
  return isBroken ? undefined : { value: restored };
}

/**
 * True if a path is at or inside a hole. Zod saw only a text instead of its value, so its complaints there are ignored.
 */
export const isAtHole = (path: FieldPath, reading: FieldReading): boolean =>
  reading.holes.some(
    (hole) => hole.path.length <= path.length && hole.path.every((step, i) => step === path[i]),
  );

/** Represents a field of another resource in the first reading of blocks, before its value is known. Compared by identity. */
export const pendingValue: Hole = { $join: [''] };

/** True if a value contains `pendingValue`, so it cannot be used before the second reading. */
export const holdsPending = (value: unknown): boolean =>
  containsValue(value, (part) => part === pendingValue || (typeof part === 'object' && visitMembers));
