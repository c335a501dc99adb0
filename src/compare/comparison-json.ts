import * as z from 'zod';
import { countSchema, documentText, ordinal } from '../report/plan-document.ts';
import { jsonValue } from '../report/show.ts';
import type { SideComparison } from './compare-sides.ts';
import type { ComparedSide } from './compared-side.ts';
import {
  type ComparisonEntry,
  entryStates,
  groupComparison,
  hasDifferences,
  summarizeComparison,
} from './comparison-entries.ts';

const addressInSide = documentText.describe(
  "A resource's place in the YAML, without the target of a variable.",
);
const value = z
  .unknown()
  .optional()
  .describe('Any JSON; absent if it is not declared. A secret reads "(secret)" or { "$secret": NAME }.');

const sideSchema = z.strictObject({
  name: documentText.describe('As written on the command line; `now` for the configuration as it is.'),
  live: z.literal(true).optional().describe('The side is an account.'),
  stage: documentText.optional(),
});

const objectSchema = z.strictObject({
  state: z.enum(entryStates).describe('Each object has one state.'),
  kind: documentText,
  a: addressInSide.optional(),
  b: addressInSide.optional(),
  targets: z.array(documentText).optional().describe('The targets of a variable that are alike.'),
  settings: z
    .array(z.strictObject({ path: documentText, a: value, b: value }))
    .optional()
    .describe('The settings that differ.'),
  place: z
    .strictObject({ a: ordinal, b: ordinal, of: ordinal })
    .optional()
    .describe('The places in an ordered list, among the items that both sides have.'),
  secrets: z
    .array(
      z.strictObject({
        path: documentText,
        source: z
          .enum(['same', 'different', 'unknown'])
          .describe('Whether both sides read it from the same place. Values are never compared.'),
        a: documentText,
        b: documentText,
      }),
    )
    .optional(),
});

/** The schema of the document. The first number of `formatVersion` changes if a member is removed or changes its meaning. */
export const comparisonDocument = z
  .strictObject({
    formatVersion: z.literal('1.0'),
    a: sideSchema,
    b: sideSchema,
    equal: z.boolean().describe('Nothing that could be compared differs.'),
    summary: z
      .strictObject({
        total: countSchema,
        ...Object.fromEntries(entryStates.map((state) => [state, countSchema])),
        secrets: z.strictObject({ same: countSchema, different: countSchema, unknown: countSchema }),
      })
      .describe('The number of objects in each state, which add up to `total`, and of their secrets.'),
    objects: z.array(objectSchema).describe('All objects except equal ones with equal addresses.'),
  })
  .describe('Two sides of a trueup configuration, compared.');

/** Returns the JSON Schema of the document that `diff --json` prints. */
export const comparisonSchema = (): object => ({
  title: 'trueup diff',
  ...z.toJSONSchema(comparisonDocument),
});

/** Returns the document of `diff --json`. It contains no secret, and no hint whether two secrets are equal. */
export function comparisonJson(comparison: SideComparison): object {
  const entries = groupComparison(comparison);
  const summary = summarizeComparison(entries);
  return {
    formatVersion: '1.0',
    a: sideJson(comparison.a),
    b: sideJson(comparison.b),
    equal: !hasDifferences(summary),
    summary,
    objects: entries.filter(({ state, a, b }) => state !== 'equal' || a !== b).map(entryJson),
  };
}

const sideJson = ({ name, isLive, stage }: ComparedSide) => ({ name, live: isLive || undefined, stage });

/** Returns an entry of a comparison (an object, or all targets of a variable) in the form that it has in the document of `diff --json`. */
const entryJson = ({ state, kind, a, b, targets, pair }: ComparisonEntry) => ({
  state,
  kind,
  a,
  b,
  targets: targets.length > 0 ? targets : undefined,
  settings: emptyToUndefined(
    pair?.settings.map((setting) => ({
      path: setting.path,
      a: jsonValue(setting.a),
      b: jsonValue(setting.b),
    })),
  ),
  place: pair?.place && { a: pair.place.a, b: pair.place.b, of: pair.place.itemCount },
  secrets: emptyToUndefined(
    pair?.secrets.map((secret) => ({ path: secret.path, source: secret.result, a: secret.a, b: secret.b })),
  ),
});

const emptyToUndefined = <T>(list: T[] | undefined): T[] | undefined =>
  list && list.length > 0 ? list : undefined;
