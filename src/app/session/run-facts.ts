import { findConfigurationCommit } from '../../config/configuration-commit.ts';
import { findStarter } from '../../history/find-starter.ts';
import type { RunFacts } from '../../history/open-recording.ts';
import type { WritingOptions } from '../planning/plan-options.ts';
import type { Session } from './session.ts';

/**
 * Returns the facts of a run that `trueup log` and `trueup blame` show from its record, without its changes: the command, who started it, and the
 * commit of the configuration. `commandFacts`: the facts that the command knows itself, such as the approval; they replace the others.
 */
export async function collectRunFacts(
  { configuration, host }: Session,
  options: Pick<WritingOptions, 'stage'>,
  commandFacts: Partial<RunFacts>,
): Promise<RunFacts> {
  const commit = 'commit' in commandFacts ? undefined : await findConfigurationCommit(configuration, host);
  return {
    command: 'apply',
    stage: options.stage,
    ...findStarter(host.env),
    commit: commit && { id: commit.id, dirty: commit.dirty ? true : undefined },
    ...commandFacts,
    // Not an option, because one run without it would record the values.
    values: host.env.TRUEUP_HISTORY !== 'no-values',
  };
}
