import type { Style } from '../report/style.ts';
import { capitalized } from '../report/text.ts';
import { formatLabelledRows, indented, sectionsText, widthOf } from './columns.ts';
import type { FieldManual } from './fields.ts';
import type { KindManual } from './kind-manual.ts';

/** Formats the manual page of a kind for the terminal, in sections like those of a man page. Empty sections are left out. */
export function kindManualText(manual: KindManual, { style }: { style: Style }): string {
  const width = widthOf(style);
  const text = (paragraph: string) => indented(paragraph, width);
  const table = (rows: [label: string, text: string][]) =>
    formatLabelledRows(
      rows.map(([label, cell]) => ({ label: `  ${label}`, paint: style.strong, cells: [{ text: cell }] })),
      width,
    );
  const sections: [title: string, lines: string[]][] = [
    ['NAME', [`  ${style.strong(manual.name)}`, ...text(manual.doc)]],
    [
      'IN THE YAML',
      table([
        ['path', manual.path],
        ['form', manual.form.join('; ')],
        ['address', manual.address],
      ]),
    ],
    ['NATURAL KEY', text(manual.key)],
    ['FIELDS', manualFieldLines(manual.fields, style, width)],
    ['WHEN ITS BLOCK IS REMOVED', text(manual.removal.words)],
    ['REPLACEMENT', text(manual.replacement)],
    ['LIMITS', manual.limits.flatMap(({ words }) => text(words))],
    ['ORDER', manual.order.flatMap(text)],
    ['KEYS WITH $', table(manual.metaKeys.map(({ key, takes, does }) => [`${key}: ${takes}`, does]))],
    ['EXAMPLE', exampleLines(manual, table(manual.exampleAddresses.map((address) => ['declares', address])))],
    [
      'REQUESTS',
      table(
        manual.requests.map(({ endpoint, when, outsideCatalog }) => [
          when.join(', '),
          outsideCatalog === undefined
            ? endpoint
            : `${endpoint} (outside the published catalog: ${outsideCatalog})`,
        ]),
      ),
    ],
    ['SEE ALSO', table(manual.related.map(({ kind, path, why }) => [kind, `${path}: ${why}`]))],
  ];
  return sectionsText(sections, style);
}

/** Formats the example of a kind, indented by spaces alone so that it can be copied, and the addresses that it declares. */
function exampleLines({ example }: KindManual, declared: string[]): string[] {
  if (example === undefined) return [];
  const yaml = example.trimEnd().split('\n');
  return [...yaml.map((line) => `  ${line}`.trimEnd()), '', ...declared];
}

/**
 * Formats the section FIELDS of `trueup kinds NAME` as a table: name, type and presence, documentation and traits.
 * Members are below their field, indented.
 */
function manualFieldLines(fields: FieldManual[], style: Style, width: number): string[] {
  const rows = fields.flatMap((field) => manualRowsOf(field, 1));
  return formatLabelledRows(
    rows.map(({ label, field }) => ({
      label,
      paint: style.strong,
      cells: [
        { text: [field.type, describePresence(field), ...nullWords(field)].join('; ') },
        { text: field.doc ?? '' },
        { text: toSentence(field.traits.join('; ')), paint: style.quiet },
      ],
    })),
    width,
  );
}

const manualRowsOf = (field: FieldManual, depth: number): { label: string; field: FieldManual }[] => [
  { label: '  '.repeat(depth) + field.name, field },
  ...(field.members ?? []).flatMap((member) => manualRowsOf(member, depth + 1)),
];

const toSentence = (text: string) => (text === '' ? '' : `${capitalized(text)}.`);

/** Describes in words whether a field is required, with its default if there is one. Shown behind the type of the field. */
const describePresence = (field: FieldManual): string => {
  if (field.presence === 'key') return 'the key of the map';
  return field.default === undefined
    ? field.presence
    : `${field.presence}, ${JSON.stringify(field.default)} by default`;
};

const nullWords = (field: FieldManual): string[] =>
  field.null === undefined ? [] : [field.null === 'reset' ? 'null resets it' : 'may be null'];
