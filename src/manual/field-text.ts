import type { Style } from '../report/style.ts';
import { labelled } from './columns.ts';
import type { FieldManual } from './fields.ts';

/** The fields as a table: name; type and whether it is needed, documentation, traits. Members stand below, indented. */
export function fieldLines(fields: FieldManual[], style: Style, width: number): string[] {
  const rows = fields.flatMap((field) => rowsOf(field, 1));
  return labelled(
    rows.map(({ label, field }) => ({
      label,
      paint: style.strong,
      cells: [
        { text: [field.type, presence(field), ...nullWords(field)].join('; ') },
        { text: field.doc ?? '' },
        { text: sentence(field.traits.join('; ')), paint: style.quiet },
      ],
    })),
    width,
  );
}

const rowsOf = (field: FieldManual, depth: number): { label: string; field: FieldManual }[] => [
  { label: '  '.repeat(depth) + field.name, field },
  ...(field.members ?? []).flatMap((member) => rowsOf(member, depth + 1)),
];

const sentence = (text: string) => (text === '' ? '' : `${text[0]!.toUpperCase()}${text.slice(1)}.`);

const presence = (field: FieldManual): string => {
  if (field.presence === 'key') return 'the key of the map';
  return field.default === undefined
    ? field.presence
    : `${field.presence}, ${JSON.stringify(field.default)} by default`;
};

const nullWords = (field: FieldManual): string[] =>
  field.null === undefined ? [] : [field.null === 'reset' ? 'null resets it' : 'may be null'];
