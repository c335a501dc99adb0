import type { BatchContext, FieldSchemas, Shape, WholeDocument } from '../kind/kind.ts';
import { plain } from '../kind/plain.ts';
import { stepOf, verbOf } from '../kind/step.ts';
import type { Draft, Step } from '../kind/write.ts';
import type { Fields } from '../model/value.ts';

/*
 * Shapes of objects that do not match the rows or the requests of the platform one to one: several objects in a row (`rows`), several changes in a
 * request (`batch`), or several collections in a request (`document`).
 */

/** The members of a shape that distribute units over rows; see `Shape`. */
interface RowsOf {
  /** Makes the schemas of the fields of a unit, which differ from those of a row. */
  fields(): FieldSchemas;
  /** The fields that identify a unit besides the key; the address contains them. */
  addressFields?: string[];
  rowPositionsOf?: Shape['rowPositionsOf'];
  widenedBy?: Shape['widenedBy'];
  toUnits: Shape['units'];
  merge?: Shape['mergeRows'];
  toRow(units: Fields[]): Fields;
}

/**
 * Returns a shape whose objects are not the platform's records (rows). It converts rows to units (the declared objects) and back, so that
 * all other code sees only units. A row can have several units (a variable in three targets), and a unit several rows (the DNS records of
 * one name and type).
 */
export function rows(
  { fields, addressFields = [], rowPositionsOf, widenedBy, toUnits, merge, toRow }: RowsOf,
  inner: Shape = plain,
): Shape {
  let fieldSchemas: FieldSchemas | undefined;
  return {
    ...inner,
    byAddress: true,
    get fields() {
      fieldSchemas ??= fields();
      return fieldSchemas;
    },
    addressFields,
    rowPositionsOf,
    widenedBy,
    units: toUnits,
    ...(merge ? { mergeRows: merge, keyWords: rowKeyWords } : {}),
    rowOf: toRow,
  };
}

/** Returns the sentence for the manual: several live rows with the same key are one object. */
const rowKeyWords: Shape['keyWords'] = ({ key }, container) =>
  `${key.map((name) => `\`${name}\``).join(' and ')}: all live rows of ${container} with the same values form one set and are owned together.`;

/** Drafts the requests for all steps under one parent. It may use only the endpoints of the kind's verbs. */
type BatchWrites = (steps: Step[], context: BatchContext) => Draft[];

/**
 * Returns the shape of a kind whose changes go into few requests, because the platform takes several changes at once. `outcome`: reads the
 * outcome of each item from the answer.
 */
export const batch = (writes: BatchWrites, outcome?: Shape['outcome']): Shape => ({
  ...plain,
  outcome,
  words: () => ['Several changes are sent in one request where the platform supports it.'],
  arrange: ({ kind, changes: siblings }) => ({
    changes: siblings,
    draft: (changes, context) => {
      const steps = changes.flatMap((change) => {
        const verb = verbOf(change);
        return verb === undefined ? [] : [stepOf(kind, verb, change)];
      });
      return steps.length === 0 ? [] : writes(steps, context);
    },
  }),
});

/**
 * Returns a shape (form of a collection) for collections that one request can write together in a new container, such as the rules of a firewall. In
 * an existing container each collection is written separately.
 */
export const document = (wholeDocument: WholeDocument, inner: Shape = plain): Shape => ({
  ...inner,
  document: wholeDocument,
  words: (isHidden) => [...inner.words(isHidden), wholeDocument.doc],
});
