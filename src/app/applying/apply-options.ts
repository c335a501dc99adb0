import { openRecording, type RunFacts } from '../../history/open-recording.ts';
import type { Plan } from '../../model/plan.ts';
import { standardParallelism } from '../../model/planned-action.ts';
import { planJson } from '../../report/plan-json.ts';
import type { ApplyPlanOptions } from '../../run/apply.ts';
import type { Planned } from '../../run/open-plan.ts';
import { createHomeFolder } from '../../stores/home-folder.ts';
import { usesHome } from '../../stores/ledger-choice.ts';
import type { WritingOptions } from '../planning/plan-options.ts';
import { openRunDeliveries } from '../session/open-run-deliveries.ts';
import { collectRunFacts } from '../session/run-facts.ts';
import { requireKey, type Session } from '../session/session.ts';

/**
 * Returns the options of `apply` that do not depend on who runs it: the command line and the library use the same ones. `prepare` creates the folder
 * and the key that the first write needs, and `record` starts the history record of the run. `commandFacts`: see `collectRunFacts`.
 */
export function createApplyOptions(
  session: Session,
  planned: Planned,
  options: WritingOptions,
  commandFacts: Partial<RunFacts> = {},
): Pick<ApplyPlanOptions, 'parallelism' | 'settle' | 'deliveries' | 'prepare' | 'record'> {
  session.masking.setVisibleText(() => searchableText(planned.plan));
  const { host, configuration, sources } = session;
  const say = (text: string) => session.say(text);
  return {
    parallelism: options.parallelism ?? standardParallelism,
    settle: options.settle * 1000,
    deliveries: openRunDeliveries(
      planned,
      { host, configuration, judgeCommand: sources.judgeCommand, say },
      options,
    ),
    prepare: async () => {
      if (usesHome(options, host)) await createHomeFolder(host);
      await requireKey(session, options);
    },
    record: async () => {
      const { documents, ledger } = session;
      const { plan, digest } = planned;
      return openRecording({
        documents,
        ledger,
        key: await requireKey(session, options),
        plan,
        digest,
        about: await collectRunFacts(session, options, {
          ...commandFacts,
          approval: digest === undefined ? commandFacts.approval : 'saved plan',
        }),
        now: host.clock.now,
      });
    },
  };
}

/** Returns all names and texts that a plan shows, so that masking does not hide words that are no secrets. */
function searchableText(plan: Plan): string {
  const texts: string[] = [];
  JSON.stringify(planJson(plan), (name, value) => {
    texts.push(name);
    if (typeof value === 'string') texts.push(value);
    return value;
  });
  return texts.join('\n');
}
