declare const printed: unique symbol;
/**
 * A secret in memory. Whatever prints, logs or serializes it gets `(secret)`; only code that asks by name gets the text.
 * Values are sealed where they enter (a secret field of the YAML or of an answer), so nothing has to be searched for later.
 */
export declare class Sealed {
    #private;
    /** Its name under `secrets:`, if it has one; safe to show. */
    readonly secretName: string | undefined;
    constructor(text: string, secretName?: string);
    /** The secret itself: for comparing in memory, for keyed digests, and for the request that sends it. */
    reveal(): string;
    toJSON(): string;
    toString(): string;
    [printed](): string;
}
/** A copy of `value` with every sealed secret, however deep, in the clear: only for comparing and digesting in memory. */
export declare const revealed: (value: unknown) => unknown;
/** All sealed secrets in a value, however deep. */
export declare function sealedIn(value: unknown): Sealed[];
export {};
