import type { Address } from './address.js';
import { Sealed } from './sealed.js';
/** Another resource's attribute, its `id` unless `attr` says otherwise; known once that resource exists. */
export interface Ref {
    $ref: Address;
    attr: string;
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
export type Value = null | boolean | number | string | Hole | Sealed | Value[] | {
    [name: string]: Value;
};
export type Fields = Record<string, Value>;
/** Steps into a JSON value: a member, an index (negative from the end), or the last item whose members equal these. */
export type Path = (string | number | Record<string, unknown>)[];
export declare const isRef: (value: unknown) => value is Ref;
export declare const isSecretRef: (value: unknown) => value is SecretRef;
export declare const isLookupRef: (value: unknown) => value is LookupRef;
export declare const isResult: (value: unknown) => value is Result;
export declare const isJoin: (value: unknown) => value is Join;
export declare const isHole: (value: unknown) => value is Hole;
/** An object that is data: no array, no hole, no sealed secret. */
export declare const isPlainObject: (value: unknown) => value is Record<string, unknown>;
/** A copy of `value` in which `fill` replaces every hole and sealed secret, however deep. */
export declare function mapHoles(value: unknown, fill: (hole: Hole | Sealed) => unknown): unknown;
/** All holes in `value`, those inside a join included, joins themselves not. */
export declare function holesIn(value: unknown): Exclude<Hole, Join>[];
/** The values that holes stand for, as far as they are known. */
export interface Known {
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
export declare function fillHoles(value: unknown, known: Known, unknown?: (hole: Exclude<Hole, Join>) => unknown): unknown;
/** True if something in a value is secret; then all of it has to be hidden. */
export declare const holdsSecret: (value: unknown) => boolean;
/** True if a value is or contains a secret; then all of it is treated as one. */
export declare function isSecret(value: unknown): boolean;
/** The value at `path` in `value`; undefined if nothing is there. */
export declare function lookUp(value: unknown, path: Path): unknown;
/** The names in a leaf's path. A name may hold a dot, which is escaped in the path. */
export declare const namesIn: (path: string) => string[];
/** The value at a leaf's path; undefined if the path ends early. */
export declare function atPath(fields: Fields, path: string): Value | undefined;
/** The opposite: fields made of leaves. Where one leaf is inside of another, the later one counts. */
export declare function fieldsOf(leaves: Iterable<[path: string, value: Value]>): Fields;
/** The content of a file, sent as it is. Printed or logged, it shows its length alone. */
export declare class FileContent {
    readonly bytes: Uint8Array;
    /** A `Content-Type`. */
    readonly type: string;
    constructor(bytes: Uint8Array, type: string);
    toJSON(): string;
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
export declare function sealAt(value: Value, [step, ...rest]: (string | number)[], options?: SealOptions): Value;
export {};
