import { unescapeName } from '../model/address.ts';
import type { Ref } from '../model/value.ts';

/** A reference as an expression of the YAML: `${projects.web.segments["a.b"].id}`. */
export function referenceText({ $ref, attr }: Ref): string {
  const [section, ...names] = $ref.split('/').map(unescapeName);
  return `\${${section}${names.map(stepText).join('')}.${attr}}`;
}

const stepText = (name: string): string => {
  if (/^[\w-]+$/.test(name)) return `.${name}`;
  return name.includes('"') ? `['${name}']` : `["${name}"]`;
};
