import type { FieldManual } from '../../src/manual/fields.ts';
import type { KindManual } from '../../src/manual/kind-manual.ts';
import { fenced, inline, opened, sections, sentence, table } from './markdown.ts';

/** The page of a kind: what `trueup kinds NAME` says, as Markdown. */
export function kindPage(manual: KindManual): string {
  const place = table(
    ['In the YAML', ''],
    [
      ['Path', `\`${manual.path}\``],
      ['Form', inline(manual.form.join('; '))],
      ['Address', `\`${manual.address}\``],
    ],
  );
  return (
    opened(manual.name, manual.doc) +
    `\n${inline(manual.doc)}\n` +
    sections([
      ['Example', exampleOf(manual)],
      ['In the YAML', place],
      ['Identity', inline(manual.key)],
      [
        'Fields',
        table(
          ['Field', 'Takes', 'Meaning'],
          manual.fields.flatMap((field) => rowsOf(field)),
        ),
      ],
      ['When its block is removed', inline(manual.removal.words)],
      ['Replacement', inline(manual.replacement)],
      ['Limits', list(manual.limits.map(({ words }) => words))],
      ['Order', list(manual.order)],
      [
        'Keys with $',
        table(
          ['Key', 'Meaning'],
          manual.metaKeys.map(({ key, takes, does }) => [`\`${key}: ${takes}\``, inline(sentence(does))]),
        ),
      ],
      [
        'Requests',
        table(
          ['When', 'Request'],
          manual.requests.map(({ endpoint, when, outsideCatalog }) => [
            when.join(', '),
            `\`${endpoint}\`${outsideCatalog === undefined ? '' : ` (outside the published catalog: ${outsideCatalog})`}`,
          ]),
        ),
      ],
      [
        'Rules of the twin',
        [
          manual.rules.words,
          list([
            ...manual.rules.facts.map(({ id, statement }) => `${id}: ${statement}`),
            ...manual.rules.assumptions.map((statement) => `Assumed: ${statement}`),
          ]),
        ]
          .filter((part) => part !== '')
          .join('\n\n'),
      ],
      [
        'See also',
        list(manual.related.map(({ kind, path, why }) => `[${kind}](${kind}.md), \`${path}\`: ${why}`)),
      ],
    ])
  );
}

/** All kinds, each below the one that it stands in. */
export const kindIndex = (all: { kind: string; path: string; depth: number; doc: string }[]): string =>
  opened('Kinds', 'Everything that can be declared.') +
  '\nEverything that can be declared. `trueup kinds NAME` prints the same page in a terminal.\n\n' +
  `${table(
    ['Kind', 'Description', 'In the YAML'],
    all.map(({ kind, path, depth, doc }) => [
      `${'&nbsp;&nbsp;'.repeat(depth)}[${kind}](${kind}.md)`,
      inline(doc),
      `\`${path}\``,
    ]),
  )}\n`;

const list = (lines: string[]): string => lines.map((line) => `- ${inline(line)}`).join('\n');

function exampleOf({ example, exampleAddresses }: KindManual): string {
  if (example === undefined) return '';
  const declared = exampleAddresses.map((address) => `\`${address}\``).join(', ');
  return `${fenced('yaml', example)}${declared === '' ? '' : `\n\nDeclares ${declared}.`}`;
}

/** A field, and below it its members by their path. */
function rowsOf(field: FieldManual, above = ''): string[][] {
  const path = `${above}${field.name}`;
  const presence =
    field.presence === 'key'
      ? 'the key of the map'
      : field.default === undefined
        ? field.presence
        : `${field.presence}, \`${JSON.stringify(field.default)}\` by default`;
  const empty = { reset: '`null` resets it', value: 'may be `null`' };
  const takes = [field.type, presence, ...(field.null ? [empty[field.null]] : [])].join('; ');
  const meaning = [field.doc ?? '', sentence(field.traits.join('; '))].filter(Boolean).join(' ');
  return [
    [`\`${path}\``, inline(takes), inline(meaning)],
    ...(field.members ?? []).flatMap((member) => rowsOf(member, `${path}.`)),
  ];
}
