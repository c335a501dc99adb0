import { type Diagnostic, problem, warning } from '../model/diagnostic.ts';
import type { FoundFile } from './find-files.ts';
import { describe, isNull, type MapNode, maskNode } from './nodes.ts';
import { parseYaml } from './parse-yaml.ts';
import { readSource } from './read-source.ts';
import { positionOf, Source } from './source.ts';

/** The maps in a file, one for each document; undefined if it cannot be read whole. All that is wrong goes to `diagnostics`. */
export async function readDocuments(
  file: FoundFile,
  sources: Source[],
  diagnostics: Diagnostic[],
): Promise<MapNode[] | undefined> {
  const source = await readSource(file);
  if (!(source instanceof Source)) {
    diagnostics.push(source);
    return undefined;
  }
  sources.push(source);
  const { documents, diagnostics: found } = await parseYaml(source);
  diagnostics.push(...found);
  if (source.broken) return undefined;
  const isEmpty = documents.every(isNull);
  if (isEmpty) diagnostics.push(warning('file/empty', `${file.name} is empty`, { at: source.position(0) }));
  return documents.flatMap((node) => {
    if (node.type === 'map') return [node];
    if (!isNull(node)) {
      diagnostics.push(
        problem('config/type', `a file holds a map, not ${describe(node)}`, {
          at: positionOf(node.at),
          hint: 'stack: name',
        }),
      );
      maskNode(node);
    }
    return [];
  });
}
