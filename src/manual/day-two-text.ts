import { groupBy } from '../model/graph.ts';
import type { Style } from '../report/style.ts';
import { indented, labelled, widthOf } from './columns.ts';
import {
  type ActionSummary,
  actionFacts,
  type FieldSummary,
  type LookupSummary,
  lookupFacts,
} from './day-two-list.ts';

type One = ActionSummary | LookupSummary;

/** Actions or lookups as text: a line for each, under its area. */
export function dayTwoListText(list: readonly One[], style: Style): string {
  const blocks = [...groupBy(list, ({ area }) => area)].map(([area, of]) =>
    [
      style.strong(area),
      ...labelled(
        of.map((one) => ({
          label: `  ${one.name}`,
          paint: style.strong,
          cells: [{ text: one.doc }, { text: takes(one), paint: style.quiet }],
        })),
        widthOf(style),
      ),
    ].join('\n'),
  );
  return blocks.join('\n\n');
}

/** Its inputs, on one line. */
function takes({ on, input }: One): string {
  const names = input.map(({ name, needed }) => (needed ? name : `[${name}]`)).join(', ');
  return [...(on === undefined ? [] : [`target: ${on}`]), ...(names === '' ? [] : [`input: ${names}`])].join(
    '; ',
  );
}

/** All about one of them. */
export function dayTwoText(one: One, style: Style): string {
  const width = widthOf(style);
  const facts = 'grade' in one ? actionFacts(one) : lookupFacts(one);
  const about = one.on === undefined ? ['the account'] : [`a ${one.on}`];
  const parts: [string, string[]][] = [
    ['NAME', [`  ${style.strong(one.name)}`, ...indented(one.doc, width)]],
    ['ABOUT', about.flatMap((text) => indented(text, width))],
    ['TAKES', fieldLines(one.input, style)],
    ['TELLS', fieldLines(one.output, style)],
    ['STATUS', facts.flatMap((text) => indented(text, width))],
    ['REQUEST', [`  ${one.request}`]],
  ];
  return parts
    .filter(([, lines]) => lines.length > 0)
    .map(([title, lines]) => [style.strong(title), ...lines].join('\n'))
    .join('\n\n');
}

const fieldLines = (fields: readonly FieldSummary[], style: Style): string[] =>
  labelled(
    fields.map(({ name, type, doc, needed, secret }) => ({
      label: `  ${name}`,
      paint: style.strong,
      cells: [
        { text: [type, ...(needed ? ['needed'] : []), ...(secret ? ['secret'] : [])].join('; ') },
        { text: doc },
      ],
    })),
    widthOf(style),
  );
