/*
 * Facts about kinds for `trueup kinds` and the documentation. They come from the kinds themselves and need no configuration of a user.
 */
import type { Configuration } from '../config/configuration.ts';
import { load } from '../config/load.ts';
import { quoted } from '../config/suggest.ts';
import { findKinds } from '../kind/find-kinds.ts';
import type { Kind, Kinds } from '../kind/kind.ts';
import { sectionPath } from '../kind/section-path.ts';
import type { Address } from '../model/address.ts';
import { raise } from '../model/diagnostic.ts';
import { closestName } from '../model/similar-name.ts';
import type { Style } from '../report/style.ts';
import { capitalized } from '../report/text.ts';
import { formatLabelledRows, indented, sectionsText, widthOf } from './columns.ts';
import type { FieldManual } from './fields.ts';
import { exampleOf, type KindManual } from './kind-manual.ts';

/** Loads the example of a kind as a complete configuration, with a header before it. */
export const loadExample = (kinds: Kinds, kind: Kind): Promise<Configuration> =>
  load({ kinds, cwd: '.', env: {}, text: `stack: example\n${exampleOf(kinds, kind)}\n` });

/**
 * Returns the addresses of the objects of this kind that its example declares, for its manual page. Loads the
 * example as a configuration. None if the kind has no example.
 */
export async function exampleAddresses(kinds: Kinds, kind: Kind): Promise<Address[]> {
  if (kind.example === undefined) return [];
  const { resources } = (await loadExample(kinds, kind)).desired;
  return [...resources.values()]
    .filter((resource) => resource.kind === kind.name)
    .map(({ address }) => address);
}

/**
 * Returns the kind (object type, such as `projectDomain`) whose manual page `trueup kinds NAME` shows. NAME is the name of the kind, its
 * path in the YAML, the name of its section, or another word for it. Throws `Problems` if no kind or several kinds match.
 */
export function requireKind(kinds: Kinds, name: string): Kind {
  const [match, ...others] = findKinds(kinds, name);
  if (!match) {
    const names = [...kinds.values()].flatMap((kind) => [kind.name, kind.section]);
    const near = closestName(name, names);
    raise('asked/name', `there is no kind ${quoted(name)}`, {
      hint: near === undefined ? '`trueup kinds` lists all' : `did you mean \`${near}\`?`,
    });
  }
  if (others.length > 0)
    raise('kinds/ambiguous', `${quoted(name)} means several kinds`, {
      hint: [match, ...others].map((kind) => `\`${kind.name}\` (${sectionPath(kinds, kind)})`).join(', or '),
    });
  return match;
}

/**
 * Formats the manual page of a kind (object type) for `trueup kinds NAME`, in sections like those of a man
 * page. Empty sections are left out.
 */
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
    [
      'RULES OF THE TWIN',
      [
        ...text(manual.rules.words),
        ...table([
          ...manual.rules.facts.map(({ id, statement }): [string, string] => [id, statement]),
          ...manual.rules.assumptions.map((statement): [string, string] => ['assumed', statement]),
        ]),
      ],
    ],
    ['SEE ALSO', table(manual.related.map(({ kind, path, why }) => [kind, `${path}: ${why}`]))],
  ];
  return sectionsText(sections, style);
}

/**
 * Returns the lines of the section EXAMPLE on the manual page of a kind: the YAML, indented by spaces alone so that
 * it can be copied, then `declared`, the lines about the addresses that it declares. None if the kind has no
 * example.
 */
function exampleLines({ example }: KindManual, declared: string[]): string[] {
  if (example === undefined) return [];
  const yaml = example.trimEnd().split('\n');
  return [...yaml.map((line) => `  ${line}`.trimEnd()), '', ...declared];
}

/**
 * Formats the section FIELDS of a kind's manual page as a table: name, then type and presence, documentation, and
 * traits (facts that the type does not state). Members are below their field, indented.
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

/**
 * Describes whether a field is required, with its default if there is one: `optional, 60 by default`. Shown behind
 * the type of the field on a manual page.
 */
const describePresence = (field: FieldManual): string => {
  if (field.presence === 'key') return 'the key of the map';
  return field.default === undefined
    ? field.presence
    : `${field.presence}, ${JSON.stringify(field.default)} by default`;
};

const nullWords = (field: FieldManual): string[] =>
  field.null === undefined ? [] : [field.null === 'reset' ? 'null resets it' : 'may be null'];
