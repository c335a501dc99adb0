import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const twin = 'providers/hosting/twin';
const declaration = /^export const (\w+)(?:: Resource = | = \w+\.resource\()/gm;

/**
 * Returns the file that lists the twin's resources, and the content that it should have, from the declarations in the twin's folders. Throws if two
 * resources have the same name.
 */
export function resourceList(root) {
  const declarations = readdirSync(join(root, twin), { withFileTypes: true })
    .filter((folder) => folder.isDirectory())
    .flatMap(({ name }) => readdirSync(join(root, twin, name)).map((file) => `./${name}/${file}`))
    .filter((file) => file.endsWith('.ts'))
    .flatMap((file) =>
      [...readFileSync(join(root, twin, file), 'utf8').matchAll(declaration)].map(([, name]) => ({
        name,
        file,
      })),
    )
    .sort((a, b) => (a.file.slice(0, -3) < b.file.slice(0, -3) ? -1 : 1));
  for (const { name, file } of declarations) {
    const namesake = declarations.find((candidate) => candidate.name === name && candidate.file !== file);
    if (namesake)
      throw new Error(`Two resources of the twin are called ${name}: ${file} and ${namesake.file}.`);
  }
  const imports = [...declarations, { name: 'type Resource', file: './resource.ts' }]
    .sort((a, b) => (a.file.slice(0, -3) < b.file.slice(0, -3) ? -1 : 1))
    .map(({ name, file }) =>
      name === 'type Resource'
        ? `import type { Resource } from '${file}';`
        : `import { ${name} } from '${file}';`,
    );
  const text = `${imports.join('\n')}

/** Everything that the twin serves. Generated: the build finds what the folders declare (build/lists.mjs). */
export const resources: Resource[] = [
${declarations.map(({ name }) => `  ${name},`).join('\n')}
];
`;
  return { file: `${twin}/resources.ts`, text };
}

/**
 * Writes the list if it differs from the declarations in the folders. With `isChecked` it throws instead, because the change could not be
 * committed.
 */
export function writeLists(root, { isChecked = false } = {}) {
  const { file, text } = resourceList(root);
  if (readFileSync(join(root, file), 'utf8') === text) return;
  if (isChecked) throw new Error(`${file} is not current: run \`npm run build\`, and commit it.`);
  writeFileSync(join(root, file), text);
}
