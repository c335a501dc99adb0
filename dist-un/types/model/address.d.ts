/**
 * A resource's place in the YAML and its identity everywhere: sections and names in turn, joined by `/`.
 * For example `projects/web/domains/www.example.com`; a singleton ends in its section: `projects/web/firewall`.
 */
export type Address = string;
/** Escapes a name for an address: `a/b` becomes `a%2Fb`, `*` becomes `%2A`. An `@` in front stays, so that the apex of a zone reads `records/@/A`. */
export declare function escapeName(name: string): string;
/** The opposite of `escapeName`; text that is no valid escape stays as it is. */
export declare function unescapeName(name: string): string;
/** The name that an address ends in, as it is written: `projects/a%2Fb` ends in `a/b`. */
export declare const lastNameOf: (address: Address) => string;
/** The address of a resource: its parent's address, its section, and its (already escaped) names. */
export declare function addressOf(parent: Address | undefined, section: string, names: string[]): Address;
/** True if `address` is `ancestor` or below it. */
export declare function isWithin(address: Address, ancestor: Address): boolean;
/** A glob that matches this address alone. */
export declare const globOf: (address: Address) => string;
/** The order in which addresses are listed: by code unit, so that it is the same on every machine. */
export declare function byAddress(a: {
    address: Address;
}, b: {
    address: Address;
}): number;
/** Escapes a text for a regular expression (Node 20 lacks RegExp.escape). */
export declare const literally: (text: string) => string;
