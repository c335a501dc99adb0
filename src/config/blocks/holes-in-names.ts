import { namesOf } from '../../kind/define-kind.ts';
import { comparedFields } from '../../kind/leaves.ts';
import { traitsOf } from '../../kind/traits.ts';
import { type Fields, holesIn, isRef, isSecret } from '../../model/value.ts';
import { type Finding, holdsWaiting } from '../fields/reading.ts';
import type { Block } from './block.ts';

/** Names must be known now, and must not tell a secret. */
export function holesInKey({ kind, own }: Block, fields: Fields): Finding[] {
  return [...new Set([...kind.key, ...(kind.yaml.mapBy ? [kind.yaml.mapBy] : [])])].flatMap(
    (name): Finding[] => {
      const value = fields[name];
      if (typeof value !== 'object') return [];
      const node = own.find(({ key }) => key.text === name)?.value;
      const hint = `\`${name}\` is part of the address of the resource`;
      if (isSecret(value))
        return [
          { code: 'secret/in-name', message: 'a name cannot contain a secret', hint, path: [name], node },
        ];
      const schema = kind.fields[name];
      const isNamed = isRef(value) && schema !== undefined && traitsOf(schema).ref !== undefined;
      if (isNamed || (holesIn(value).length === 0 && !holdsWaiting(value))) return [];
      return [
        { code: 'ref/in-name', message: 'a name can contain variables only', hint, path: [name], node },
      ];
    },
  );
}

/** The same, for names that a kind makes of more fields than its key: a probe tells which. */
export function holesInNames({ kind, own }: Block, fields: Fields): Finding[] {
  const probe = 'e7d1probe';
  return Object.entries(fields).flatMap(([name, value]): Finding[] => {
    if (typeof value !== 'object') return [];
    const schema = comparedFields(kind)[name] ?? kind.fields[name];
    const isNamed = isRef(value) && schema !== undefined && traitsOf(schema).ref !== undefined;
    if (
      isNamed ||
      kind.key.includes(name) ||
      !(isSecret(value) || holesIn(value).length > 0 || holdsWaiting(value))
    )
      return [];
    if (!namesOf(kind, { ...fields, [name]: probe }).some((part) => part.includes(probe))) return [];
    const node = own.find(({ key }) => key.text === name)?.value;
    const [code, message] = isSecret(value)
      ? ['secret/in-name', 'a name cannot contain a secret']
      : ['ref/in-name', 'a name can contain variables only'];
    return [
      { code, message, hint: `\`${name}\` is part of the address of the resource`, path: [name], node },
    ] as Finding[];
  });
}
