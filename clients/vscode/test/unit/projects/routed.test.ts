import { expect, it } from 'vitest';
import { SERVER_COMMANDS } from '../../../src/names';
import { isRouted, route } from '../../../src/projects/routed';

it.each(SERVER_COMMANDS)('%s gets its root, and keeps what the server gave', (command) => {
  const routed = route({ command, title: 't', arguments: ['mem_1', 0] }, '/w');
  expect(routed).toEqual({ command, title: 't', arguments: [{ root: '/w', arguments: ['mem_1', 0] }] });
  expect(isRouted(routed.arguments[0])).toBe(true);
});

it('a command that is none of ours stays as it is', () => {
  const other = { command: 'editor.action.rename', arguments: [1] };
  expect(route(other, '/w')).toBe(other);
});

it.each([undefined, null, 'x', {}, { root: 1, arguments: [] }, { root: '/w' }])('%o is not routed', (value) => {
  expect(isRouted(value)).toBe(false);
});
