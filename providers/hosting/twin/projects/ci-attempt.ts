import * as z from 'zod';
import type { Call } from '../call.ts';
import { notFound } from '../errors.ts';
import { type Moving, type Pace, paceOf, startMoving, stepOf } from '../motion.ts';
import { operation, type Resource, seedList, seedOwned } from '../resource.ts';

/** A run of the platform CI, with its attempts. */
interface CiInvocation {
  invocationId: string;
  ownerId: string;
  attempts: Moving[];
}

const seed = z.strictObject(seedOwned);

declare module '../account.ts' {
  interface AccountParts extends Keeps<'ciInvocations', CiInvocation> {}
  interface AccountSeed extends Seeds<'ciInvocations', typeof seed> {
    /** The duration of attempts, and which ones fail. */
    ciAttempts?: Pace;
  }
}

/** Returns the invocation and the attempt that the path names, or throws 404. */
function named({ account, owner, params }: Call): { invocation: CiInvocation; attempt: Moving } {
  const ciInvocation = account.ciInvocations.find(
    ({ ownerId, invocationId }) => ownerId === owner.id && invocationId === params.invocationId,
  );
  const attempt = ciInvocation?.attempts[Number(params.attempt) - 1];
  if (ciInvocation === undefined || attempt === undefined) throw notFound('Attempt');
  return { invocation: ciInvocation, attempt };
}

/** Returns an attempt in the form that the platform's command line reads. */
function shown(call: Call, { invocation, attempt }: ReturnType<typeof named>) {
  const step = stepOf(attempt, call, ['new', 'awaiting_jobs', 'awaiting_jobs']);
  const result = attempt.fails ? 'failed' : 'succeeded';
  return {
    ...{
      id: invocation.invocationId,
      attempt: invocation.attempts.indexOf(attempt) + 1,
      status: step ?? 'completed',
    },
    ...(step === undefined ? { runConclusion: { result } } : {}),
  };
}

const path = '/v1/platform-ci/invocations/{invocationId}/attempts/{attempt}';

/** Attempts of the platform CI. Their form is known from the platform's command line alone. */
export const ciAttempt: Resource = {
  keeps: { account: { ciInvocations: [] } },
  operations: {
    [`GET ${path}`]: operation({ on: named }, (call, located) => ({ invocation: shown(call, located) })),
    [`POST ${path}/retry`]: operation({ on: named }, (call, { invocation }) => ({
      attempt: invocation.attempts.push(startMoving(call, 'ciAttempts')),
    })),
  },
  seed: {
    account: {
      ciAttempts: paceOf('ciAttempts'),
      ciInvocations: seedList(seed, (making, { id }) => {
        const { account, owner } = making;
        const invocationId = id ?? making.id('inv_');
        const attempts = [startMoving(making, 'ciAttempts')];
        account.ciInvocations.push({ invocationId, ownerId: owner.id, attempts });
      }),
    },
  },
};
