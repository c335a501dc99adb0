import {
  type ActionSummary,
  actionFacts,
  type FieldSummary,
  type LookupSummary,
  lookupFacts,
} from '../../src/manual/day-two.ts';
import { groupBy } from '../../src/model/graph.ts';
import { inline, opened, sections, table } from './markdown.ts';

type One = ActionSummary | LookupSummary;

/** The page of an action or a lookup: what `trueup run NAME --list` or `trueup get NAME --list` says, as Markdown. */
export function dayTwoPage(one: One): string {
  const isAction = 'grade' in one;
  const call = isAction
    ? `trueup run ${one.name}${one.on === undefined ? '' : ' ADDRESS'}`
    : `trueup get ${one.name}${one.on === undefined ? '' : ' --of ADDRESS'}`;
  const about = one.on === undefined ? 'About the account.' : `About a [${one.on}](../kinds/${one.on}.md).`;
  const facts = isAction ? actionFacts(one) : lookupFacts(one);
  return (
    opened(one.name, one.doc) +
    `\n${inline(one.doc)}\n` +
    sections([
      ['Usage', `\`\`\`text\n${call}${inputWords(one, isAction)}\n\`\`\`\n\n${about}`],
      [isAction ? 'Input' : 'Parameters for --where', fields(one.input, true)],
      [isAction ? 'Answer' : 'Fields', fields(one.output, false)],
      ['Behaviour', facts.map((fact) => `- ${inline(fact)}`).join('\n')],
      ['Request', `\`${one.request}\``],
    ])
  );
}

const inputWords = ({ input }: One, isAction: boolean): string =>
  input
    .filter(({ needed }) => needed)
    .map(({ name }) => ` ${isAction ? '--input' : '--where'} ${name}=VALUE`)
    .join('');

const fields = (all: readonly FieldSummary[], isInput: boolean): string =>
  all.length === 0
    ? ''
    : table(
        ['Name', isInput ? 'Takes' : 'Type', 'Meaning'],
        all.map(({ name, type, doc, needed, secret }) => [
          `\`${name}\``,
          inline(
            [
              type,
              ...(isInput ? [needed ? 'required' : 'optional'] : []),
              ...(secret ? ['secret, never shown'] : []),
            ].join('; '),
          ),
          inline(doc),
        ]),
      );

/** All of them, by area. */
export const dayTwoIndex = (what: 'Actions' | 'Lookups', list: readonly One[]): string => {
  const [doc, hint] =
    what === 'Actions'
      ? ['One-off actions, run by hand.', '`trueup run NAME --list` prints the same page in a terminal.']
      : [
          'Read-only queries. Every kind can be read as well.',
          '`trueup get NAME --list` prints the same page in a terminal.',
        ];
  const areas = [...groupBy(list, ({ area }) => area)].map(([area, of]): [string, string] => [
    area,
    table(
      ['Name', 'Does'],
      of.map(({ name, doc: does }) => [`[${name}](${name}.md)`, inline(does)]),
    ),
  ]);
  return `${opened(what, doc)}\n${doc} ${hint} [Day two](../guides/day-two.md) shows them at work.\n${sections(areas)}`;
};
