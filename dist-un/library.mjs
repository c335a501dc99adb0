import library from './library.cjs';
export const { Problems, apply, load, openPlan, startTwin } = library;
