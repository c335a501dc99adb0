import type { Address } from './address.ts';
import { Sealed } from './sealed.ts';
import { containsValue, inside, mapTree, setOwn, walk } from './walk.ts';

/** Another resource's attribute, its `id` unless `attr` says otherwise; known once that resource exists. */
export interface Ref {
  $ref: Address;
  attr: string;
  /** The attribute is, or may be, a secret. */
  isSecret?: true;
}
/** A value from `secrets:`; resolved outside the plan, by name. */
export interface SecretRef {
  $secret: string;
}
/** Part of the answer to an earlier request of the same operation. */
export interface Result {
  $result: number;
  path: Path;
}
/** A field of the object that a lookup of the configuration finds. `isOptional`: without such an object, the member with this hole is left out. */
export interface LookupRef {
  $lookup: string;
  attr: string;
  isOptional?: true;
}
/** Text made of pieces, some of which are holes: `"https://${projects.web.id}.example.com"`. */
export interface Join {
  $join: Value[];
}
/** A value that is not known while planning. */
export type Hole = Ref | SecretRef | LookupRef | Result | Join;

/** JSON, plus holes, plus sealed secrets. */
export type Value = null | boolean | number | string | Hole | Sealed | Value[] | { [name: string]: Value };
export type Fields = Record<string, Value>;

/** Steps into a JSON value: a member, an index (negative from the end), or the last item whose members equal these. */
export type Path = (string | number | Record<string, unknown>)[];

const isObjectValue = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof Sealed);

// A `$ref` alone is the user's own data: JSON Schema has them.
export const isRef = (value: unknown): value is Ref =>
  isObjectValue(value) && typeof value.$ref === 'string' && typeof value.attr === 'string';
export const isSecretRef = (value: unknown): value is SecretRef =>
  isObjectValue(value) && typeof value.$secret === 'string';
export const isLookupRef = (value: unknown): value is LookupRef =>
  isObjectValue(value) && typeof value.$lookup === 'string' && typeof value.attr === 'string';
export const isResult = (value: unknown): value is Result =>
  isObjectValue(value) && typeof value.$result === 'number';
export const isJoin = (value: unknown): value is Join => isObjectValue(value) && Array.isArray(value.$join);
export const isHole = (value: unknown): value is Hole => isObjectValue(value) && holeIn(value);
const holeIn = ({ $ref, attr, $secret, $lookup, $result, $join }: Record<string, unknown>): boolean =>
  ((typeof $ref === 'string' || typeof $lookup === 'string') && typeof attr === 'string') ||
  typeof $secret === 'string' ||
  typeof $result === 'number' ||
  Array.isArray($join);
/** An object that is data: no array, no hole, no sealed secret. */
export const isPlainObject = (value: unknown): value is Record<string, unknown> =>
  isObjectValue(value) && !holeIn(value);

/** A copy of `value` in which `fill` replaces every hole and sealed secret, however deep. */
export function mapHoles(value: unknown, fill: (hole: Hole | Sealed) => unknown): unknown {
  if (typeof value !== 'object') return value;
  return mapTree(value, (one) => (one instanceof Sealed || isHole(one) ? fill(one) : inside));
}

/** All holes in `value`, those inside a join included, joins themselves not. */
export function holesIn(value: unknown): Exclude<Hole, Join>[] {
  const found: Exclude<Hole, Join>[] = [];
  walk(value, (one) => {
    if (typeof one !== 'object' || one instanceof Sealed) return undefined;
    if (!isHole(one) || isJoin(one)) return inside;
    found.push(one);
    return undefined;
  });
  return found;
}

/** The values that holes stand for, as far as they are known. */
export interface HoleValues {
  secrets: ReadonlyMap<string, Sealed>;
  /** An attribute of an object that exists. */
  attribute(address: Address, attr: string): Value | undefined;
  /** The answers to an operation's earlier requests. */
  results?: readonly unknown[];
}

/**
 * A copy of `value` with all known holes filled. `unknown` replaces the others; by default they stay, and so do the joins around them. A
 * join with a secret in it becomes a secret of the same name.
 */
export function fillHoles(
  value: unknown,
  known: HoleValues,
  unknown: (hole: Exclude<Hole, Join>) => unknown = (hole) => hole,
): unknown {
  const fill = (hole: Hole | Sealed): unknown => {
    if (hole instanceof Sealed) return hole;
    if (isJoin(hole)) return joinPieces(hole.$join.map(fillPiece));
    return knownValue(hole, known) ?? unknown(hole);
  };
  /** A list or a map cannot be part of a text: its hole stays open. */
  const fillPiece = (value: Value): Value => {
    const filled = mapHoles(value, fill) as Value;
    const isText =
      (typeof filled !== 'object' && filled !== undefined) || filled instanceof Sealed || isHole(filled);
    return (isText || !isHole(value) || isJoin(value) ? filled : unknown(value)) as Value;
  };
  return mapHoles(value, fill);
}

function knownValue(hole: Exclude<Hole, Join>, { secrets, attribute, results }: HoleValues): unknown {
  if (isSecretRef(hole)) return secrets.get(hole.$secret);
  if (isRef(hole)) return attribute(hole.$ref, hole.attr);
  // What stands for it is put in before anything is planned, or sent.
  if (isLookupRef(hole)) return undefined;
  return valueAtPath(results?.[hole.$result], hole.path);
}

/** Text made of pieces, a secret if one of them is; a join while one is open. */
export function joinPieces(pieces: Value[]): Value {
  if (pieces.some(isHole)) return { $join: pieces };
  const text = pieces.map((value) => (value instanceof Sealed ? value.reveal() : String(value))).join('');
  const secret = pieces.find((value) => value instanceof Sealed);
  return secret instanceof Sealed ? new Sealed(text, secret.secretName) : text;
}

/** True if something in a value is secret; then all of it has to be hidden. */
export const holdsSecret = (value: unknown): boolean =>
  containsValue(value, (one) => {
    if (typeof one !== 'object') return false;
    return one instanceof Sealed || isSecretHole(one) || inside;
  });

/** True for a secret of the configuration, and for another object's attribute that is a secret. */
const isSecretHole = (value: unknown): boolean =>
  isSecretRef(value) || (isRef(value) && value.isSecret === true);

/** True if a value is or contains a secret; then all of it is treated as one. */
export function isSecret(value: unknown): boolean {
  if (value instanceof Sealed) return true;
  return isJoin(value) ? value.$join.some(isSecret) : isSecretHole(value);
}

/** The value at `path` in `value`; undefined if nothing is there. */
export function valueAtPath(value: unknown, path: Path): unknown {
  return path.reduce<unknown>((at, step) => {
    if (Array.isArray(at)) {
      if (typeof step === 'object')
        return at.findLast(
          (item) => isObjectValue(item) && Object.entries(step).every(([k, v]) => item[k] === v),
        );
      return at.at(Number(step));
    }
    return isObjectValue(at) && typeof step !== 'object' ? at[step] : undefined;
  }, value);
}

/** The names in a leaf's path. A name may hold a dot, which is escaped in the path. */
export const namesInPath = (path: string): string[] =>
  path.includes('.') ? path.split(/(?<!\\)\./).map((name) => name.replaceAll('\\.', '.')) : [path];

/** The value at a leaf's path; undefined if the path ends early. */
export function atPath(fields: Fields, path: string): Value | undefined {
  let value: unknown = fields;
  for (const name of namesInPath(path)) value = isPlainObject(value) ? value[name] : undefined;
  return value as Value | undefined;
}

/** The opposite: fields made of leaves. Where one leaf is inside of another, the later one counts. */
export function fieldsFromLeaves(leaves: Iterable<[path: string, value: Value]>): Fields {
  const fields: Fields = {};
  for (const [path, value] of leaves) {
    const names = namesInPath(path);
    const last = names.pop()!;
    let at = fields;
    for (const name of names) {
      const inner = Object.hasOwn(at, name) ? at[name] : undefined;
      at = isPlainObject(inner) ? (inner as Fields) : setOwn(at, name, {} as Fields);
    }
    setOwn(at, last, isPlainObject(value) ? ({ ...value } as Fields) : value);
  }
  return fields;
}

/** The content of a file, sent as it is. Printed or logged, it shows its length alone. */
export class FileContent {
  readonly bytes: Uint8Array;
  /** A `Content-Type`. */
  readonly type: string;

  constructor(bytes: Uint8Array, type: string) {
    this.bytes = bytes;
    this.type = type;
  }

  toJSON(): string {
    return `(${this.type}, ${this.bytes.length} bytes)`;
  }
}

interface SealOptions {
  /** Seals numbers, booleans and empty text, too, as text. */
  literals?: boolean;
  /** These values stay as they are. */
  except?(value: unknown): boolean;
}

/**
 * A copy of a value with all text at and below a path sealed, also between the holes of a join. Holes, sealed secrets and the value's
 * shape stay, since it may have to be sent back. If the path leads nowhere, nothing is sealed.
 */
export function sealAt(value: Value, [step, ...rest]: (string | number)[], options: SealOptions = {}): Value {
  if (step === undefined) return sealDeep(value, options);
  if (Array.isArray(value))
    return value.map((item, index) => (index === step ? sealAt(item, rest, options) : item));
  if (!isPlainObject(value) || !Object.hasOwn(value, step) || value[step] === undefined) return value;
  return { ...value, [step]: sealAt(value[step] as Value, rest, options) } as Value;
}

function sealDeep(value: Value, { literals = false, except = () => false }: SealOptions): Value {
  return mapTree(value, (one) => {
    if (one === null || one === undefined || except(one) || one instanceof Sealed) return one;
    if (typeof one !== 'object')
      return literals || (typeof one === 'string' && one !== '') ? new Sealed(String(one)) : one;
    return isHole(one) && !isJoin(one) ? one : inside;
  }) as Value;
}
