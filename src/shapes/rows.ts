import type { FieldSchemas, Shape } from '../kind/kind.ts';
import { plain } from '../kind/plain.ts';
import type { Fields } from '../model/value.ts';

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
