/** What an author of a kind says about its objects' relation to rows and siblings, where `plain` does not do. */
export { batch } from './batch.ts';
export { document } from './document.ts';
export { labelled } from './labelled.ts';
export { ordered } from './ordered.ts';
export { rows } from './rows.ts';
export { staged } from './staged.ts';
