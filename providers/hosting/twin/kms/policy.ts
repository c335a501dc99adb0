import * as z from 'zod';
import { times } from '../call.ts';
import { badRequest } from '../errors.ts';
import { checkProjectIds } from '../find-project.ts';
import type { Resource } from '../resource.ts';
import { strings } from '../validate.ts';
import { claims, writableIssuer } from './issuer.ts';
import { issuers, showPolicy } from './issuer-state.ts';

// A policy is identified by its project or client. No source says so, but nothing else could identify it.
const policies = issuers.inside(
  'policies',
  {
    ...{ what: 'Policy', param: 'policyKey', shows: (_, policy) => showPolicy(policy) },
    isCalled: (kmsPolicy, key, { kind }) =>
      kmsPolicy.kind === kind &&
      key === (kmsPolicy.kind === 'project-grant' ? kmsPolicy.projectId : kmsPolicy.clientId),
  },
  writableIssuer,
);
const createBody = z.strictObject({
  kind: z.literal('project-grant'),
  projectId: z.string(),
  environments: strings,
  tokenClaims: claims.optional(),
});
const updateBody = z.strictObject({
  environments: strings.optional(),
  tokenClaims: claims.nullable().optional(),
});

/** Policies that allow a project or client to sign with an issuer. Only reads of the issuer show them. */
export const kmsIssuerPolicy: Resource = {
  operations: {
    createKmsIssuerPolicy: policies.create({ body: createBody, statuses: [201] }, (call, body, issuer) => {
      checkProjectIds(call, [body.projectId]);
      if (issuer.policies.some((policy) => policy.kind === body.kind && policy.projectId === body.projectId))
        throw badRequest('There is a policy for this project already.');
      return { ...body, teamId: call.owner.id, ...times(call) };
    }),
    updateKmsIssuerPolicy: policies.update(
      { body: updateBody },
      (_, policy, { environments, tokenClaims }) => {
        if (environments !== undefined) {
          if (policy.kind !== 'project-grant') throw badRequest('Only grants of projects have environments.');
          policy.environments = environments;
        }
        if (tokenClaims === null) delete policy.tokenClaims;
        else if (tokenClaims !== undefined) policy.tokenClaims = tokenClaims;
      },
    ),
    deleteKmsIssuerPolicy: policies.remove(),
  },
};
