import * as z from 'zod';
import { badRequest } from '../errors.ts';
import { checkProjectIds } from '../find-project.ts';
import { operation, type Resource } from '../resource.ts';
import { connectors, destination } from './connector-state.ts';

/**
 * The deployments that get the events of a connector. One request replaces all of them, at most three; reads of the connector show them.
 */
export const triggerDestinations: Resource = {
  operations: {
    replaceConnectorTriggerDestinations: operation(
      { on: connectors.named, body: z.strictObject({ destinations: z.array(destination).max(3) }) },
      (call, { object: connector, home }, { destinations }) => {
        checkProjectIds(
          call,
          destinations.map(({ projectId }) => projectId),
        );
        for (const each of destinations)
          if (
            'customEnvironmentId' in each &&
            !call.account.projects.some(
              ({ id, customEnvironments }) =>
                id === each.projectId &&
                customEnvironments.some(
                  (customEnvironment) => customEnvironment.id === each.customEnvironmentId,
                ),
            )
          )
            throw badRequest(`The project has no environment ${each.customEnvironmentId}.`);
        connector.triggerDestinations = destinations;
        connector.updatedAt = call.time();
        return connectors.show(call, connector, home);
      },
    ),
  },
};
