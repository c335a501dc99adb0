import { asked, asking, being, type Filter } from '../http/list-query.ts';
import { text } from '../http/query.ts';
import { operation, type Resource } from '../resource.ts';
import { eventsOf, type UserEvent } from './noted-events.ts';

const timeOf = (text: string) => Date.parse(text) || Number(text);

const where: Record<string, Filter<UserEvent>> = {
  entityId: [text, ({ payload }, id) => JSON.stringify(payload).includes(JSON.stringify(id))],
  principalId: being('principalId'),
  projectIds: [text, ({ payload }, ids) => ids.split(',').includes(String(payload.projectId))],
  since: [text, ({ createdAt }, time) => createdAt >= timeOf(time)],
  types: [text, ({ type }, types) => types.split(',').includes(type)],
  until: [text, ({ createdAt }, time) => createdAt <= timeOf(time)],
  userId: being('principalId'),
};

// In the order of the documentation.
const query = { entityId: text, limit: text, ...asking(where), withPayload: text };

/** The events of an account. */
export const userEvent: Resource = {
  operations: {
    listUserEvents: operation({ query, list: 'events' }, (call) => {
      const limit = Number(call.query.get('limit') ?? 20);
      const isWithPayload = call.query.get('withPayload') !== null;
      const ownEvents = eventsOf(call.account).filter(({ owner }) => owner === call.owner.id);
      const events = ownEvents.filter(asked(call, where)).slice(-limit).reverse();
      return {
        events: events.map(({ owner: _, payload, ...event }) => ({
          ...event,
          ...(isWithPayload && { payload }),
        })),
      };
    }),
  },
};
