import * as z from 'zod';
import { type Call, type Making, times } from '../call.ts';
import { conflict, notFound } from '../errors.ts';
import { cursorPage, limitQuery, pageLimit } from '../http/pages.ts';
import { required, text } from '../http/query.ts';
import { type Operation, operation, type Resource, seedList, seedOwned } from '../resource.ts';
import { strings } from '../validate.ts';

const word = z.string().optional();
const texts = strings.optional();
const flag = z.boolean().optional();
const region = {
  scope: z.enum(['global', 'specific', 'zone']).optional(),
  geoRegion: word,
  providerRegion: word,
};

// No source documents a body: these are the members of answers that only the user sets.
const changeBody = z.strictObject({
  ...{ displayName: word, description: word, modelSlug: word, baseUrl: word, visibility: word },
  ...{ models: texts, requires: texts, providerOnly: texts, providerOrder: texts },
  ...{ byokCredentialIds: texts, observabilityTags: texts },
  ...{
    allowFallbackFromFast: flag,
    disallowPromptTraining: flag,
    hipaaCompliant: flag,
    zeroDataRetention: flag,
  },
  caching: z.enum(['auto']).optional(),
  has: z.array(z.enum(['implicit-caching', 'vision'])).optional(),
  inferenceRegion: z
    .strictObject({
      ...region,
      providers: z.record(z.string(), z.strictObject(region).nullable()).optional(),
    })
    .optional(),
  providerOptions: z.record(z.string(), z.record(z.string(), z.unknown())).optional(),
  providerTimeouts: z.strictObject({ byok: z.record(z.string(), z.number()).optional() }).optional(),
  selector: z.enum(['cost', 'priority', 'tps', 'ttft']).optional(),
  serviceTier: z.enum(['fast', 'flex', 'priority']).optional(),
  sort: z.enum(['cost', 'latency', 'price', 'throughput', 'tps', 'ttft']).optional(),
  speed: z.enum(['fast']).optional(),
});
const createBody = changeBody.extend({ virtualModelSlug: z.string().min(1), kind: word });
const seed = createBody.extend({ owner: seedOwned.owner, deleted: z.boolean().optional() });

/** A model that a team defines. A deleted one stays in the list, with `deleted: true`. */
export interface AiGatewayVirtualModel extends z.infer<typeof createBody> {
  kind: string;
  ownerId: string;
  status: string;
  deleted: boolean;
  createdAt: number;
  updatedAt: number;
  updatedBy: string;
}

declare module '../account.ts' {
  interface AccountParts extends Keeps<'aiGatewayVirtualModels', AiGatewayVirtualModel> {}
  interface AccountSeed extends Seeds<'aiGatewayVirtualModels', typeof seed> {}
}

/** Returns the id of the owner that the query names; without one, that of the request's owner. */
const ownerOf = (call: Call) => call.query.get('ownerId') ?? call.owner.id;

/** Returns the owner's virtual model with a slug, or throws 404. */
function named(call: Call, slug: string | null | undefined, ownerId = call.owner.id): AiGatewayVirtualModel {
  const aiGatewayVirtualModel = call.account.aiGatewayVirtualModels.find(
    (aiGatewayVirtualModel) =>
      aiGatewayVirtualModel.virtualModelSlug === slug &&
      aiGatewayVirtualModel.ownerId === ownerId &&
      !aiGatewayVirtualModel.deleted,
  );
  if (aiGatewayVirtualModel === undefined) throw notFound('Virtual model');
  return aiGatewayVirtualModel;
}

/** Adds a virtual model to the account, or throws 409 if its name is taken. */
function add(making: Making, body: z.infer<typeof createBody>): AiGatewayVirtualModel {
  const { account, owner } = making;
  const isSame = (aiGatewayVirtualModel: AiGatewayVirtualModel) =>
    aiGatewayVirtualModel.virtualModelSlug === body.virtualModelSlug &&
    aiGatewayVirtualModel.ownerId === owner.id;
  if (
    account.aiGatewayVirtualModels.some(
      (aiGatewayVirtualModel) => isSame(aiGatewayVirtualModel) && !aiGatewayVirtualModel.deleted,
    )
  )
    throw conflict(`The virtual model ${body.virtualModelSlug} exists already.`);
  const created = {
    ...{ kind: 'virtual', ...body, ownerId: owner.id, status: 'active', deleted: false },
    ...{ ...times(making), updatedBy: account.user.id },
  };
  // A deleted model gives way to a new one of its name.
  account.aiGatewayVirtualModels = [
    ...account.aiGatewayVirtualModels.filter((aiGatewayVirtualModel) => !isSame(aiGatewayVirtualModel)),
    created,
  ];
  return created;
}

/** Writes changes into a virtual model, with their time and author. */
function change(
  call: Call,
  aiGatewayVirtualModel: AiGatewayVirtualModel,
  changes: Partial<AiGatewayVirtualModel>,
) {
  return Object.assign(aiGatewayVirtualModel, changes, {
    updatedAt: call.time(),
    updatedBy: call.account.user.id,
  });
}

/** Answers a page of the virtual models of all owners, or of the one that the query names. */
function list(call: Call): unknown {
  const { account } = call;
  const ids = [account.user.id, ...account.teams.map(({ id }) => id)];
  const asked = call.query.get('ownerId');
  const wanted = account.aiGatewayVirtualModels.filter(({ ownerId }) =>
    asked === null ? ids.includes(ownerId) : ownerId === asked,
  );
  const size = pageLimit(call);
  const { page, next } = cursorPage(
    call,
    wanted,
    (aiGatewayVirtualModel) => aiGatewayVirtualModel.createdAt,
    { param: 'cursor', size },
  );
  return { virtualModelConfigs: page, cursor: next };
}

const inQuery = { ownerId: text, virtualModelSlug: required };
const bySlug = (call: Call) => named(call, call.params.vmcSlug, ownerOf(call));
const byQuery = (call: Call) => named(call, call.query.get('virtualModelSlug'), ownerOf(call));

/** Returns the operation that deletes a virtual model. `on`: finds the model. */
const removing = (query: Operation['query'], on: (call: Call) => AiGatewayVirtualModel): Operation =>
  operation({ on, query: query!, statuses: [204], isGuess: true }, (call, aiGatewayVirtualModel) => {
    change(call, aiGatewayVirtualModel, { deleted: true });
  });

/** Virtual models of the gateway, named by the path or by the query: both work alike. */
export const aiGatewayVirtualModel: Resource = {
  keeps: { account: { aiGatewayVirtualModels: [] } },
  operations: {
    listAiGatewayVirtualModelConfigs: operation(
      { query: { ...limitQuery, cursor: text, ownerId: text }, list: 'virtualModelConfigs' },
      list,
    ),
    createAiGatewayVirtualModelConfig: operation(
      { body: createBody, statuses: [201, 409], isGuess: true },
      (call, _, body) => add(call, body),
    ),
    getAiGatewayVirtualModelConfig: operation(
      { on: byQuery, query: inQuery },
      (_, aiGatewayVirtualModel) => aiGatewayVirtualModel,
    ),
    getAiGatewayVirtualModelConfigBySlug: operation(
      { on: bySlug, query: { ownerId: text } },
      (_, aiGatewayVirtualModel) => aiGatewayVirtualModel,
    ),
    updateAiGatewayVirtualModelConfig: operation(
      {
        body: changeBody.extend({ virtualModelSlug: z.string().min(1) }),
        statuses: [200, 404],
        isGuess: true,
      },
      (call, _, { virtualModelSlug, ...body }) => change(call, named(call, virtualModelSlug), body),
    ),
    updateAiGatewayVirtualModelConfigBySlug: operation(
      { on: (call) => named(call, call.params.vmcSlug), body: changeBody, isGuess: true },
      (call, aiGatewayVirtualModel, body) => change(call, aiGatewayVirtualModel, body),
    ),
    deleteAiGatewayVirtualModelConfig: removing(inQuery, byQuery),
    deleteAiGatewayVirtualModelConfigBySlug: removing({ ownerId: text }, bySlug),
  },
  seed: {
    account: {
      aiGatewayVirtualModels: seedList(seed, (making, { deleted = false, ...body }) => {
        Object.assign(add(making, body), { deleted });
      }),
    },
  },
};
