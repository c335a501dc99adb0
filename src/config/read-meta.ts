import type { Kind } from '../kind/kind.ts';
import { metaReaders, type ReadMeta } from './meta-readers.ts';
import { describe, type Entry, isPoisoned, maskNode } from './nodes.ts';
import { hintFor, quoted } from './suggest.ts';

/** Reads and checks the `$` keys of a block. `sections`: those of its children. */
export function readMeta(kind: Kind, entries: Entry[], sections: string[]): ReadMeta {
  const read: ReadMeta = { meta: {}, dependsOn: [], findings: [] };
  for (const { key, value } of entries) {
    const reader = Object.hasOwn(metaReaders, key.text) ? metaReaders[key.text] : undefined;
    if (!reader) {
      maskNode(value);
      read.findings.push({
        code: 'config/unknown-key',
        message: `${quoted(key.text)} is not known; keys with $ are about the resource`,
        hint: hintFor(key.text, Object.keys(metaReaders)),
        path: [],
        node: key,
      });
    } else {
      // One that could not be made out was reported already.
      const wrong = isPoisoned(value) ? undefined : reader(value, read, { kind, sections });
      if (wrong) {
        maskNode(value);
        read.findings.push({
          code: 'config/meta',
          message: `\`${key.text}\` ${wrong}, not ${describe(value)}`,
          path: [],
          node: value,
        });
      }
    }
  }
  const clash =
    read.meta.existing &&
    entries.find(({ key }) => ['$forget', '$onRemove', '$was', '$replace'].includes(key.text));
  if (clash)
    read.findings.push({
      code: 'config/meta',
      message: `\`$existing\` and \`${clash.key.text}\` contradict each other`,
      hint: 'what exists outside of this configuration is never changed or deleted by it',
      path: [],
      node: clash.key,
    });
  return read;
}
