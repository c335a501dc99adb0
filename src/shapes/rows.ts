import type { FieldSchemas } from '../kind/kind.ts';
import { plain } from '../kind/plain.ts';
import type { Shape } from '../kind/shape.ts';
import type { Fields } from '../model/value.ts';

/** The layout of owned units in the platform's rows. */
interface RowsOf {
  /** The unit's fields, in place of the row's. */
  fields(): FieldSchemas;
  /** The fields that say which unit it is, beside the key: the address tells them. */
  place?: string[];
  placesIn?: Shape['rowPositionsOf'];
  widenedBy?: Shape['widenedBy'];
  toUnits: Shape['units'];
  merge?: Shape['mergeRows'];
  toRow(units: Fields[]): Fields;
}

/**
 * A shape whose objects are not the platform's rows. Rows, wanted and found alike, become units, and the rest of the tool knows
 * only units. A row can hold several units (a variable in three targets), and a unit several rows (the records of one name and
 * type).
 */
export function rows(
  { fields, place = [], placesIn, widenedBy, toUnits, merge, toRow }: RowsOf,
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
    addressFields: place,
    ...(placesIn ? { rowPositionsOf: placesIn } : {}),
    ...(widenedBy ? { widenedBy } : {}),
    units: toUnits,
    ...(merge ? { mergeRows: merge, keyWords: rowKeyWords } : {}),
    rowOf: toRow,
  };
}

const rowKeyWords: Shape['keyWords'] = ({ key }, around) =>
  `${key.map((name) => `\`${name}\``).join(' and ')}: all live rows of ${around} with the same values form one set and are owned together.`;
