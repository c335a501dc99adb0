/** The shapes that an author of a kind chooses from where `plain` does not do: how its objects relate to rows and siblings. */
export { labelled } from './labelled.ts';
export { ordered } from './ordered.ts';
export { batch, createdWithParent, document, rows } from './rows.ts';
export { staged } from './staged.ts';
