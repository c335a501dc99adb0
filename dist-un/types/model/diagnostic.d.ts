import type { Address } from './address.js';
/** A place in a file; line and column count from 1. `text` is that line, already safe to show. */
export interface Position {
    file: string;
    line: number;
    column: number;
    /** The column after the end of the text meant, in the same line, if reading has found it. */
    endColumn?: number;
    text?: string;
    /** The index in `text`, from 0, at which the column appears. It differs from the column if text before it is masked or cut. */
    caret?: number;
}
/** A problem as data. `code` is stable and what tests look at; `message` says what is wrong, `hint` what to do. */
export interface Diagnostic {
    severity: 'error' | 'warning';
    code: string;
    message: string;
    hint?: string;
    address?: Address;
    /** The secret that is the subject, the environment variable that it comes from, and the resources that need it. */
    secret?: {
        name: string;
        variable?: string;
        users?: Address[];
    };
    at?: Position;
    /** Other places that belong to the problem, for example the first of two declarations. */
    related?: {
        message: string;
        at: Position;
    }[];
}
type Details = Omit<Diagnostic, 'severity' | 'code' | 'message'>;
export declare const problem: (code: string, message: string, details?: Details) => Diagnostic;
export declare const warning: (code: string, message: string, details?: Details) => Diagnostic;
export declare const hasErrors: (diagnostics: Diagnostic[]) => boolean;
/** Thrown by steps that cannot go on: carries every problem found, for people. */
export declare class Problems extends Error {
    readonly diagnostics: Diagnostic[];
    constructor(diagnostics: Diagnostic[]);
}
/**
 * The column, from 1, after the end of the text at a position: as reading has found it, else judging by the quoted line. Undefined if
 * neither tells.
 */
export declare function endColumnOf({ column, endColumn, text, caret }: Position): number | undefined;
export {};
