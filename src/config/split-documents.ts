import { childKinds } from '../kind/define-kind.ts';
import type { Kinds } from '../kind/kind.ts';
import { type Diagnostic, problem } from '../model/diagnostic.ts';
import { type Entry, type MapNode, maskNode } from './nodes.ts';
import { connectionInYaml, headerKeys, isConnectionKey } from './read-header.ts';
import type { Section } from './section-entries.ts';
import { positionOf } from './source.ts';
import { hintFor, quoted } from './suggest.ts';

/** The header, which stands once in all documents, and the sections of all kinds that have no parent. `x-*` is left alone. */
export function splitDocuments(
  documents: MapNode[],
  kinds: Kinds,
  diagnostics: Diagnostic[],
): { header: Map<string, Entry>; written: Section[]; rootSections: string[] } {
  const rootKinds = new Map(childKinds(kinds, undefined).map((kind) => [kind.section, kind]));
  const header = new Map<string, Entry>();
  const written: Section[] = [];
  documents.forEach((map, document) => {
    for (const entry of map.entries) {
      const { key, value } = entry;
      const kind = rootKinds.get(key.text);
      const first = header.get(key.text);
      if (kind) written.push({ kind, section: value, at: key.at, document });
      else if (first)
        diagnostics.push(
          problem('config/header-twice', `\`${key.text}\` stands twice`, {
            at: positionOf(key.at),
            hint: 'the header stands once in all files together',
            related: [{ message: 'the first one', at: positionOf(first.key.at) }],
          }),
        );
      else if (headerKeys.includes(key.text)) header.set(key.text, entry);
      else if (!key.text.startsWith('x-')) {
        maskNode(value);
        diagnostics.push(
          isConnectionKey(key.text)
            ? connectionInYaml(entry)
            : problem('config/unknown-key', `${quoted(key.text)} is no section`, {
                at: positionOf(key.at),
                hint: hintFor(key.text, [...headerKeys, ...rootKinds.keys()]),
              }),
        );
      }
    }
  });
  return { header, written, rootSections: [...rootKinds.keys()] };
}
