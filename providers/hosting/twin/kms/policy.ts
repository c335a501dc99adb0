import * as z from 'zod';
import type { Call } from '../call.ts';
import { badRequest, notFound } from '../errors.ts';
import { checkProjectIds } from '../find-project.ts';
import { operation, type Resource } from '../resource.ts';
import { strings } from '../validate.ts';
import { checkOwn, claims } from './issuer.ts';
import { issuers, type KmsIssuer, type KmsPolicy, showPolicy } from './issuer-state.ts';

function writable(call: Call): KmsIssuer {
  const { one } = issuers.named(call);
  checkOwn(one);
  return one;
}

// That the key of a policy is the project or the client is in no source; nothing else identifies one.
function policyOf(call: Call): { issuer: KmsIssuer; policy: KmsPolicy } {
  const issuer = writable(call);
  const { kind, policyKey } = call.params;
  const policy = issuer.policies.find(
    (one) => one.kind === kind && policyKey === (one.kind === 'project-grant' ? one.projectId : one.clientId),
  );
  if (policy === undefined) throw notFound('Policy');
  return { issuer, policy };
}

/** Who may sign with an issuer. They are read with it. */
export const kmsIssuerPolicy: Resource = {
  operations: {
    createKmsIssuerPolicy: operation(
      {
        on: writable,
        body: z.strictObject({
          kind: z.literal('project-grant'),
          projectId: z.string(),
          environments: strings,
          tokenClaims: claims.optional(),
        }),
        statuses: [201],
      },
      (call, issuer, body) => {
        checkProjectIds(call, [body.projectId]);
        if (issuer.policies.some((one) => one.kind === body.kind && one.projectId === body.projectId))
          throw badRequest('There is a policy for this project already.');
        const at = call.time();
        const policy = { ...body, teamId: call.owner.id, createdAt: at, updatedAt: at };
        issuer.policies.push(policy);
        return showPolicy(policy);
      },
    ),
    updateKmsIssuerPolicy: operation(
      {
        on: policyOf,
        body: z.strictObject({
          environments: strings.optional(),
          tokenClaims: claims.nullable().optional(),
        }),
      },
      (call, { policy }, { environments, tokenClaims }) => {
        if (environments !== undefined) {
          if (policy.kind !== 'project-grant') throw badRequest('Only grants of projects have environments.');
          policy.environments = environments;
        }
        if (tokenClaims === null) delete policy.tokenClaims;
        else if (tokenClaims !== undefined) policy.tokenClaims = tokenClaims;
        policy.updatedAt = call.time();
        return showPolicy(policy);
      },
    ),
    deleteKmsIssuerPolicy: operation({ on: policyOf, statuses: [204] }, (_, { issuer, policy }) => {
      issuer.policies.splice(issuer.policies.indexOf(policy), 1);
    }),
  },
};
