import type { BatchContext, CreationWithParent, FieldSchemas, Shape, WholeDocument } from '../kind/kind.ts';
import { plain } from '../kind/plain.ts';
import { stepOf, verbOf } from '../kind/step.ts';
import type { Draft, Step } from '../kind/write.ts';
import type { Fields } from '../model/value.ts';

/*
 * Shapes of objects that do not match the rows or the requests of the platform one to one: several objects in a row (`rows`), several
 * changes in a request (`batch`), or several collections in a request (`document`).
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
 * Returns the shape for kinds whose objects are not the platform's records (rows). A row can stand for several units, the objects of the
 * YAML (a variable in three targets), and a unit can consist of several rows (the DNS records of one name and type). The shape converts
 * rows to units (`toUnits`) and back (`toRow`), so that all other code sees only units. `merge`: joins two rows of one unit, for kinds with
 * such units; the manual then says so (`keyWords`). `inner`: the shape that it extends.
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
 * Returns the shape for kinds whose changes go into few requests, because the platform takes several changes at once, such as the creation
 * of many variables. (A shape tells planning how changes become requests.) `writes`: drafts the requests for all changes under one parent;
 * `outcome`: reads from an answer which of them succeeded. Changes that send nothing are left out.
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
 * Returns the shape for kinds that can be written together with others by one request, while the object that contains them is new: the
 * rules and the settings of a firewall, for example. Later, each kind is written separately, as its `inner` shape says. `wholeDocument`:
 * drafts that request, and says so in the manual.
 */
export const document = (wholeDocument: WholeDocument, inner: Shape = plain): Shape => ({
  ...inner,
  document: wholeDocument,
  words: (changes) => [...inner.words(changes), wholeDocument.doc],
});

/**
 * Returns the shape for kinds whose objects the platform can create in the request that creates their parent. Planning uses this only if
 * both are new, which saves a request for each parent. `creation`: puts the objects into that request, and says so in the manual.
 */
export const createdWithParent = (creation: CreationWithParent, inner: Shape = plain): Shape => ({
  ...inner,
  withParent: creation,
  words: (changes) => [...inner.words(changes), creation.doc],
});
