import type { Diagnostic } from '../model/diagnostic.ts';
import type { Node } from './nodes.ts';
import { quickNodes } from './quick-nodes.ts';
import type { Source } from './source.ts';

/** The documents of a file, as nodes with places; none at all, and `broken`, where something is wrong. */
export async function parseYaml(source: Source): Promise<{ documents: Node[]; diagnostics: Diagnostic[] }> {
  const documents = quickNodes(source);
  if (documents) return { documents, diagnostics: [] };
  const { carefulNodes } = await import('./careful-nodes.ts');
  return carefulNodes(source);
}
