import type { StateReading } from '#kind';
import { type Attributes, present } from './attributes.ts';
import { inProject } from './project.ts';

/** A bypass is known by its secret alone, which goes into no file: here it is found by its note. */
export function protectionBypass(of: Attributes): StateReading {
  of.skip('id', 'team_id', 'created_at', 'created_by', 'scope');
  of.secret('secret');
  const project = inProject(of);
  const note = of.text('note');
  const isDefault = of.take('is_env_var');
  if (note === undefined || note === '') {
    of.leave(
      'it has no note, so only its secret identifies it: give it a note, or declare it under `protectionBypass` with `secret: ${secret.NAME}`',
    );
    return of.reading([]);
  }
  if (isDefault === true)
    of.leave('`is_env_var` stays as it is: only one that is declared with its `secret` can say so');
  const object = present({
    secret: `${project.id} ${note}`,
    note,
    isEnvVar: isDefault === true ? undefined : isDefault,
  });
  return of.reading([{ kind: 'protectionBypass', in: project, object, hasMadeUpId: true }]);
}

/** A preview that everybody may see: the alias has to exist, and only the exception is ours. */
export function protectionException(of: Attributes): StateReading {
  of.skip('id', 'team_id', 'created_at', 'created_by', 'scope');
  const project = inProject(of);
  const alias = of.text('alias')!;
  return of.reading([
    { kind: 'alias', in: project, object: { uid: alias, alias }, isOnlyNamed: true },
    { kind: 'aliasBypass', in: { kind: 'alias', id: alias }, object: { who: '*' } },
  ]);
}
