import type { Twin } from '../../providers/hosting/twin/index.ts';
import type { Rest } from '../support/sample.ts';
import { samples } from '../support/samples.ts';
import { send } from './client.ts';

/**
 * Requests for the operations that no kind uses, or that end what kinds make: those of the samples, and here those that are no
 * kind's. None may be refused. The team has a member `user_1`.
 */
export async function sendTheRest(twin: Twin): Promise<void> {
  const go: Rest['go'] = async (method, path, body) => {
    const answer = await send(twin, method, path, body);
    if (answer.status >= 400) throw new Error(`${method} ${path}: ${JSON.stringify(answer.body)}`);
    return answer.body;
  };
  const all: Rest['all'] = async (...requests) => {
    for (const request of requests) await go(...request);
  };
  const made = async (name: string) => {
    const { id } = await go('POST', '/v11/projects', { name });
    return twin.account.projects.find((project) => project.id === id)!;
  };
  const rest: Rest = { twin, go, all, shop: await made('shop'), other: await made('other') };
  for (const [kind, { requests }] of Object.entries(samples))
    await requests?.(rest).catch((error: Error) => {
      throw new Error(`the requests of the sample of ${kind}: ${error.message}`);
    });

  // Runs of checks are no kind's.
  const checks = '/v2/projects/shop/checks';
  const { id: checkId } = await go('POST', checks, { name: 'e2e' });
  const gitSource = { type: 'github', org: 'acme', repo: 'shop', ref: 'checked' };
  const { id: deployment } = await go('POST', '/v13/deployments', { name: 'shop', gitSource });
  const runs = `/v2/deployments/${deployment}/check-runs`;
  const run = await go('POST', runs, { checkId });
  await all(
    ['PATCH', `${runs}/${run.id}`, { status: 'completed', conclusion: 'neutral' }],
    ['GET', `${runs}/${run.id}`],
    ['GET', runs],
    ['GET', `${checks}/${checkId}/runs`],
    ['DELETE', `${checks}/${checkId}`],
  );

  // No kind has anything to do with the platform CI.
  const moving = { startedAt: 0, endsAt: 0 };
  const invocation = { invocationId: 'inv_rest', ownerId: rest.shop.accountId, attempts: [moving] };
  twin.account.ciInvocations.push(invocation);
  await all(['POST', '/v1/platform-ci/invocations/inv_rest/attempts/1/retry']);

  // A person makes an API key, and notes it.
  await all(['POST', '/api-keys', { purpose: 'ai-gateway', projectId: rest.shop.id }]);

  await all(['DELETE', '/v9/projects/shop'], ['DELETE', '/v9/projects/other']);
}
