import type { Action } from '../kind/action.ts';
import { docOf } from '../kind/traits.ts';
import { groupBy } from '../model/graph.ts';
import type { Style } from '../report/style.ts';
import { labelled, widthOf } from './columns.ts';
import { typeWords } from './type-words.ts';

/** One action in the list of all. */
export interface ActionSummary {
  action: string;
  area: string;
  doc: string;
  /** The kind whose address it takes. */
  on?: string;
  grade: Action['grade'];
  input: { name: string; type: string; needed: boolean; doc: string }[];
}

/** All actions, by area. */
export const actionList = (actions: ReadonlyMap<string, Action>): ActionSummary[] =>
  [...actions.values()].map(({ name, area, doc, on, grade, input }) => ({
    action: name,
    area,
    doc,
    ...(on === undefined ? {} : { on }),
    grade,
    input: Object.entries(input).map(([field, schema]) => ({
      name: field,
      type: typeWords(schema),
      needed: !schema.safeParse(undefined).success,
      doc: docOf(schema) ?? '',
    })),
  }));

/** The same as text: a line for each, under its area. */
export function actionListText(list: readonly ActionSummary[], style: Style): string {
  const blocks = [...groupBy(list, ({ area }) => area)].map(([area, of]) =>
    [
      style.strong(area),
      ...labelled(
        of.map(({ action, on, doc, input }) => {
          const takes = input.map(({ name, needed }) => (needed ? name : `[${name}]`)).join(', ');
          return {
            label: `  ${action}`,
            paint: style.strong,
            cells: [
              { text: doc },
              {
                text: [
                  ...(on === undefined ? [] : [`about a ${on}`]),
                  ...(takes === '' ? [] : [`input ${takes}`]),
                ].join('; '),
                paint: style.quiet,
              },
            ],
          };
        }),
        widthOf(style),
      ),
    ].join('\n'),
  );
  return blocks.join('\n\n');
}
