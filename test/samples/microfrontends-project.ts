import { flag, type Sample } from '../support/sample.ts';

export const microfrontendsProject: Sample = {
  place: (block) => ({
    projects: { LABEL: {}, 'LABEL-lead': {} },
    microfrontends: {
      LABEL: { defaultApp: 'LABEL-lead', projects: { 'LABEL-lead': {}, LABEL: block } },
    },
  }),
  leaves: {
    // Another one has to take its place.
    isDefaultApp: [true, true],
    defaultRoute: ['/docs', '/help'],
    routeObservabilityToThisProject: flag,
    doNotRouteWithMicrofrontendsRouting: flag,
  },
  single: ['isDefaultApp'],
};
