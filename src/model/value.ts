import type { Address } from './address.ts';
import { Sealed } from './sealed.ts';
import { containsValue, mapTree, setOwn, visitMembers } from './walk.ts';

/** An attribute of another resource, usually its `id`. Its value is known once that resource exists. */
export interface Ref {
  $ref: Address;
  attr: string;
  /** The attribute is, or may be, a secret. */
  isSecret?: true;
}
/** A secret from `secrets:`, by name. It is resolved outside of the plan. */
export interface SecretRef {
  $secret: string;
}
/** A part of the answer to an earlier request of the same operation. */
export interface Result {
  $result: number;
  path: Path;
}
/**
 * A field of the object that a lookup of the configuration finds. `isOptional`: if there is no such object, the member
 * with this hole is left out.
 */
export interface LookupRef {
  $lookup: string;
  attr: string;
  isOptional?: true;
}
/** A text in pieces, with at least one hole: `"https://${projects.web.id}.example.com"`. */
export interface Join {
  $join: Value[];
}
/** A value that is not known while planning. */
export type Hole = Ref | SecretRef | LookupRef | Result | Join;

/** JSON, plus holes, plus sealed secrets. */
export type Value = null | boolean | number | string | Hole | Sealed | Value[] | { [name: string]: Value };
/** The fields of a resource, by name. */
export type Fields = Record<string, Value>;

/**
 * Steps into a JSON value: a member, an index (negative: from the end; also as a text), or an object: then the only item of a list with
 * equal members.
 */
export type Path = (string | number | Record<string, unknown>)[];

/** True for an object that is no list and no sealed secret: data or a hole. */
export const isObjectValue = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value) && !(value instanceof Sealed);

// A `$ref` alone is the user's own data: JSON Schema has them.
export const isRef = (value: unknown): value is Ref =>
  isObjectValue(value) && typeof value.$ref === 'string' && typeof value.attr === 'string';
/** True for a hole that names a secret of the configuration. */
export const isSecretRef = (value: unknown): value is SecretRef =>
  isObjectValue(value) && typeof value.$secret === 'string';
/** True for a hole that takes a field of a looked-up object. */
export const isLookupRef = (value: unknown): value is LookupRef =>
  isObjectValue(value) && typeof value.$lookup === 'string' && typeof value.attr === 'string';
/** True for a hole that takes a part of an earlier answer. */
export const isResult = (value: unknown): value is Result =>
  isObjectValue(value) && typeof value.$result === 'number';
/** True for a text that consists of texts and holes. */
export const isJoin = (value: unknown): value is Join => isObjectValue(value) && Array.isArray(value.$join);
/** True for a value that is determined later, such as a reference or a secret by name. */
export const isHole = (value: unknown): value is Hole => isObjectValue(value) && holeIn(value);
/**
 * True if an object has the members of a hole, the placeholder of a value that is known only later: a reference to an object (`$ref`), a
 * secret, a lookup, a part of an earlier answer (`$result`), or a text made of such pieces (`$join`). Shared by `isHole` and
 * `isPlainObject`.
 */
const holeIn = ({ $ref, attr, $secret, $lookup, $result, $join }: Record<string, unknown>): boolean =>
  ((typeof $ref === 'string' || typeof $lookup === 'string') && typeof attr === 'string') ||
  typeof $secret === 'string' ||
  typeof $result === 'number' ||
  Array.isArray($join);
/** True for an object that is data: no list, no hole, no sealed secret. */
export const isPlainObject = (value: unknown): value is Record<string, unknown> =>
  isObjectValue(value) && !holeIn(value);

/**
 * Returns a copy of a value in which `fill` replaces every hole (a value that is known only later) and every sealed
 * secret, at any depth. Used to insert values before a request, and to rename addresses in references.
 */
export function mapHoles(value: unknown, fill: (hole: Hole | Sealed) => unknown): unknown {
  if (typeof value !== 'object') return value;
  return mapTree(value, (part) => (part instanceof Sealed || isHole(part) ? fill(part) : visitMembers));
}

/**
 * Returns all holes (values that are known only later, such as references) in a value, at any depth: also those inside
 * a joined text, but not the joined text itself. Used to find the other objects and secrets that a value needs.
 */
export function holesIn(value: unknown): Exclude<Hole, Join>[] {
  const holes: Exclude<Hole, Join>[] = [];
  collectHoles(value, holes);
  return holes;
}

/** Adds the holes in a value to `holes`: one list for all levels, because this runs several times for every value of every resource. */
function collectHoles(value: unknown, holes: Exclude<Hole, Join>[]): void {
  if (typeof value !== 'object' || value === null || value instanceof Sealed) return;
  if (isHole(value) && !isJoin(value)) {
    holes.push(value);
    return;
  }
  const members: unknown[] = Array.isArray(value) ? value : Object.values(value);
  members.forEach((member) => {
    collectHoles(member, holes);
  });
}

/** Returns the names of the secrets that a value needs, at any depth, each once. */
export const secretNamesIn = (value: unknown): Set<string> =>
  new Set(holesIn(value).flatMap((hole) => (isSecretRef(hole) ? hole.$secret : [])));

/**
 * Returns the addresses that the references in a value name, at any depth and with repetitions. Used to find the objects
 * that a value needs, and those that refer to a deleted object.
 */
export const refsIn = (value: unknown): Address[] =>
  holesIn(value).flatMap((hole) => (isRef(hole) ? hole.$ref : []));

/**
 * Returns a copy of a value whose references name the addresses that `newAddressOf` returns for the present ones. Used
 * if objects get other addresses: after a rename, for example.
 */
export const mapRefs = <T>(value: T, newAddressOf: (address: Address) => Address): T =>
  mapHoles(value, (hole) => {
    if (isJoin(hole)) return { $join: hole.$join.map((piece) => mapRefs(piece, newAddressOf)) };
    return isRef(hole) ? { ...hole, $ref: newAddressOf(hole.$ref) } : hole;
  }) as T;

/** The values for holes that are available now. */
export interface HoleValues {
  secrets: ReadonlyMap<string, Sealed>;
  /** An attribute of an object that exists. */
  attribute(address: Address, attr: string): Value | undefined;
  /** The answers to an operation's earlier requests. */
  results?: readonly unknown[];
}

/**
 * Returns a copy of a value in which each hole (such as a reference or a secret by name) is replaced by its
 * value. Used to build requests, and to compare values and check references while planning. `holeValues`: the
 * values that are available now. `unknown`: returns the replacement of any other hole; by default it stays. A
 * text made of pieces (join) becomes a secret if one of its pieces is secret, and stays a join while a piece is a hole.
 */
export function fillHoles(
  value: unknown,
  holeValues: HoleValues,
  unknown: (hole: Exclude<Hole, Join>) => unknown = (hole) => hole,
): unknown {
  const fill = (hole: Hole | Sealed): unknown => {
    if (hole instanceof Sealed) return hole;
    if (isJoin(hole)) return joinPieces(hole.$join.map(fillPiece));
    return valueOfHole(hole, holeValues) ?? unknown(hole);
  };
  /**
   * Fills the holes in one piece of a text. If the value of a hole is a list or a map, the hole stays open, because only text can be part
   * of a text.
   */
  const fillPiece = (value: Value): Value => {
    const filled = mapHoles(value, fill) as Value;
    const isPlainValue = typeof filled !== 'object' && filled !== undefined;
    const canBePiece = isPlainValue || filled instanceof Sealed || isHole(filled);
    const staysOpen = isHole(value) && !isJoin(value) && !canBePiece;
    return (staysOpen ? unknown(value) : filled) as Value;
  };
  return mapHoles(value, fill);
}

/**
 * Returns the value of a hole (a reference, a secret or an earlier answer), for requests of an apply and for
 * comparisons of a plan; undefined if it is not available, or not yet, for example because its object does
 * not exist.
 */
function valueOfHole(hole: Exclude<Hole, Join>, { secrets, attribute, results }: HoleValues): unknown {
  if (isSecretRef(hole)) return secrets.get(hole.$secret);
  if (isRef(hole)) return attribute(hole.$ref, hole.attr);
  // Lookups are replaced in a separate step (`withFoundFields`); until then they stay open.
  if (isLookupRef(hole)) return undefined;
  return valueAtPath(results?.[hole.$result], hole.path);
}

/**
 * Returns the text of a field such as `https://${projects.web.id}` from its pieces: sealed if one of them is secret. As long as one piece
 * is a hole (known only later), returns the pieces as a join.
 */
export function joinPieces(pieces: Value[]): Value {
  if (pieces.some(isHole)) return { $join: pieces };
  const text = pieces.map((value) => (value instanceof Sealed ? value.reveal() : String(value))).join('');
  const secret = pieces.find((value) => value instanceof Sealed);
  return secret instanceof Sealed ? new Sealed(text, secret.secretName, { holdsMore: true }) : text;
}

/** True if any part of a value is secret, at any depth. Then the whole value is hidden in plans and messages. */
export const holdsSecret = (value: unknown): boolean =>
  containsValue(value, (part) => {
    if (typeof part !== 'object') return false;
    return part instanceof Sealed || isSecretHole(part) || visitMembers;
  });

/** True for a secret of the configuration, and for a secret attribute of another object. */
const isSecretHole = (value: unknown): boolean =>
  isSecretRef(value) || (isRef(value) && value.isSecret === true);

/** True if a value is a secret, or a text with a secret in it. Lists and maps are not searched; see `holdsSecret`. */
export function isSecret(value: unknown): boolean {
  if (value instanceof Sealed) return true;
  return isJoin(value) ? value.$join.some(isSecret) : isSecretHole(value);
}

/**
 * Returns the value at a path inside a value, such as an id in an answer of the platform; undefined if there is none, or
 * if several items of a list fit. See `Path` for the steps.
 */
export function valueAtPath(value: unknown, path: Path): unknown {
  const values = valuesAtPath(value, path);
  return values.length === 1 ? values[0] : undefined;
}

/**
 * Returns all values at a path inside a value: several if several items of a list have the members that a step names.
 * Used to find a new object in an answer that lists older ones, too.
 */
export function valuesAtPath(value: unknown, path: Path): unknown[] {
  return path.reduce<unknown[]>(
    (values, step) => values.flatMap((current) => valuesOfStep(current, step)),
    [value],
  );
}

/**
 * Returns the values that one step of a path leads to: that of a member of an object, or those of items of a list (`itemsOfStep`). A missing
 * member has the value undefined. Members that each object inherits, such as `constructor`, do not count.
 */
function valuesOfStep(value: unknown, step: Path[number]): unknown[] {
  if (Array.isArray(value)) return itemsOfStep(value, step);
  if (!isObjectValue(value) || typeof step === 'object') return [];
  return [Object.hasOwn(value, step) ? value[step] : undefined];
}

/**
 * Returns the items of a list that one step of a path leads to. A number, also as a text, leads to the item at this index (a negative one
 * counts from the end). An object such as `{ key: 'A' }` leads to all items with these members, because paths say where an answer of the
 * platform has the id of a new object. A name leads to none.
 */
function itemsOfStep(list: readonly unknown[], step: Path[number]): unknown[] {
  if (typeof step !== 'object') return /^-?\d+$/.test(String(step)) ? [list.at(Number(step))] : [];
  const expected = Object.entries(step);
  return list.filter(
    (item) => isObjectValue(item) && expected.every(([name, member]) => item[name] === member),
  );
}

/**
 * Returns the member of an answer of the platform at a dotted path, or the whole answer without a path; undefined if there is none. Kinds,
 * actions and lookups declare by such paths where their objects are.
 */
export const memberAtPath = (answer: unknown, path = ''): unknown =>
  path
    .split('.')
    .filter(Boolean)
    .reduce<unknown>((value, name) => (value as Record<string, unknown> | null | undefined)?.[name], answer);

/** Returns the dotted path of a member of the value at a path. A dot inside the member's name is escaped. */
export const pathOfMember = (path: string, name: string): string => `${path}.${name.replaceAll('.', '\\.')}`;

/**
 * Returns the dotted path with these names, the inverse of `namesInPath`: a field and the members that lead
 * to a leaf. Items of lists are numbers.
 */
export function pathOfNames(names: readonly (string | number)[]): string {
  const [field, ...members] = names.map(String);
  return members.reduce(pathOfMember, field!);
}

/** Returns the names in the dotted path of a leaf. A dot inside a name is escaped in the path. */
export const namesInPath = (path: string): string[] =>
  path.includes('.') ? path.split(/(?<!\\)\./).map((name) => name.replaceAll('\\.', '.')) : [path];

/**
 * Returns the value of a leaf (the smallest part of a field that a plan compares) at its dotted path. Returns undefined if the path ends
 * early. Holes (values for later) and secrets are not entered.
 */
export function atPath(fields: Fields, path: string): Value | undefined {
  let value: unknown = fields;
  for (const name of namesInPath(path)) value = isPlainObject(value) ? value[name] : undefined;
  return value as Value | undefined;
}

/**
 * Returns a copy of fields with another value at a path. Used to seal a value of an object, or to open it. A value on the way that is no
 * object is replaced as a whole.
 */
export function replaceAt(fields: Fields, [name, ...names]: string[], value: Value): Fields {
  const copy = { ...fields };
  const inner = fields[name!];
  setOwn(
    copy,
    name!,
    names.length > 0 && isPlainObject(inner) ? replaceAt(inner as Fields, names, value) : value,
  );
  return copy;
}

/**
 * Returns a copy of fields without the values at some paths, such as those that `$ignore` names. `dropsEmpty`: an object that has no other
 * member is left out as well.
 */
export const withoutPaths = (
  fields: Fields,
  paths: readonly string[] = [],
  { dropsEmpty = false }: { dropsEmpty?: boolean } = {},
): Fields => removePaths(fields, paths.map(namesInPath), dropsEmpty);

/** Does the work of `withoutPaths` (fields without those that `$ignore` names) at each depth, with paths as lists of names. */
function removePaths(fields: Fields, paths: string[][], dropsEmpty: boolean): Fields {
  return Object.fromEntries(
    Object.entries(fields).flatMap(([name, value]): [string, Value][] => {
      const innerPaths = paths.filter(([first]) => first === name).map(([, ...names]) => names);
      if (innerPaths.some((path) => path.length === 0)) return [];
      if (innerPaths.length === 0 || !isPlainObject(value)) return [[name, value]];
      const remaining = removePaths(value as Fields, innerPaths, dropsEmpty);
      return dropsEmpty && Object.keys(remaining).length === 0 ? [] : [[name, remaining]];
    }),
  );
}

/**
 * Builds fields from leaves (the smallest compared parts, with dotted paths): `build.command` becomes the member `command` in the object
 * `build`. A later leaf replaces an earlier value at its path, and inside the object of an earlier leaf only that member. Used to restore
 * fields from a saved plan, to undo changes, and for the Terraform format of a plan.
 */
export function fieldsFromLeaves(leaves: Iterable<[path: string, value: Value]>): Fields {
  const fields: Fields = {};
  for (const [path, value] of leaves) {
    const names = namesInPath(path);
    const lastName = names.pop()!;
    let container = fields;
    for (const name of names) {
      const inner = Object.hasOwn(container, name) ? container[name] : undefined;
      container = isPlainObject(inner) ? (inner as Fields) : setOwn(container, name, {} as Fields);
    }
    setOwn(container, lastName, isPlainObject(value) ? ({ ...value } as Fields) : value);
  }
  return fields;
}

/** The largest file that a field may name. */
export const maxFileContentBytes = 5 * 1024 * 1024;

/** The content of a file. It is sent unchanged. Printed or logged, it shows only its length. */
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

/** Options of `sealAt`. */
interface SealOptions {
  /** Seals numbers, booleans and empty text as well, as text. */
  literals?: boolean;
  /** These values stay as they are. */
  except?(value: unknown): boolean;
}

/**
 * Returns a copy of a value with all text at and below a path sealed, that is, wrapped so that printing shows
 * `(secret)`. Holes (values for later) and the structure stay, since the value may have to be sent back. A path that
 * leads nowhere seals nothing.
 */
export function sealAt(
  value: Value,
  [step, ...innerPath]: (string | number)[],
  options: SealOptions = {},
): Value {
  if (step === undefined) return sealDeep(value, options);
  if (Array.isArray(value))
    return value.map((item, index) => (index === step ? sealAt(item, innerPath, options) : item));
  if (!isPlainObject(value) || !Object.hasOwn(value, step) || value[step] === undefined) return value;
  return { ...value, [step]: sealAt(value[step] as Value, innerPath, options) } as Value;
}

/**
 * Returns a copy of a value with all text in it sealed, that is, wrapped so that printing shows `(secret)`. Holes stay, because their
 * values are filled in later. `literals`: true to seal numbers, flags and empty texts as well; `except`: true for a part that stays.
 */
function sealDeep(value: Value, { literals = false, except = () => false }: SealOptions): Value {
  return mapTree(value, (part) => {
    if (part === null || part === undefined || except(part) || part instanceof Sealed) return part;
    if (typeof part !== 'object') {
      const isText = typeof part === 'string' && part !== '';
      return isText || literals ? new Sealed(String(part)) : part;
    }
    return isHole(part) && !isJoin(part) ? part : visitMembers;
  }) as Value;
}
