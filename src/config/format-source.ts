import type { Formatted } from './format-yaml.ts';
import type { Source } from './source.ts';

/** What `formatYaml` gives. It is loaded for this only, since it brings a parser with it that little else needs. */
export async function formatSource(source: Source): Promise<Formatted> {
  const { formatYaml } = await import('./format-yaml.ts');
  return formatYaml(source);
}
