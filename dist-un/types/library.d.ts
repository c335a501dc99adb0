import type { Applied, ApplyOptions, Configuration, LoadOptions, OpenPlan, PlanOptions, TwinOptions } from './library/surface.js';
export type * from './library/surface.js';
export type { Address } from './model/address.js';
export type { Action, Change, FieldChange, Grade } from './model/change.js';
export { type Diagnostic, Problems } from './model/diagnostic.js';
export type { ApplyEvent, Outcome, WaitEvent } from './model/event.js';
export type { Operation, Plan } from './model/plan.js';
export type { Request } from './model/request.js';
export type { Resource } from './model/resource.js';
/** Reads a configuration. Throws `Problems` with all that is wrong with it. */
export declare function load(given?: LoadOptions): Promise<Configuration>;
/** Reads the account and plans; sends no writes. Problems are in `plan.diagnostics`; throws `Problems` if there can be no plan. */
export declare function openPlan(configuration: Configuration, given?: PlanOptions): Promise<OpenPlan>;
/**
 * Applies a plan, keeps the ledger, and plans again to see whether it worked. Then waits, without the ledger's lease, for objects with
 * `$wait` and for `$then` actions with `wait`. Never throws for an answer of the platform: see the outcome. Throws `Problems` if nothing
 * may be begun: the plan has errors, another run holds the ledger, a secret is missing.
 */
export declare const apply: (open: OpenPlan, given?: ApplyOptions) => Promise<Applied>;
/** Starts a twin of the platform on this machine: for tests, with `baseUrl: twin.url`. */
export declare const startTwin: (given?: TwinOptions) => Promise<{
    url: string;
    openApiUrl: string;
    close(): Promise<void>;
}>;
