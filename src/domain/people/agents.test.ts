import { expect, test } from 'vitest'
import { agentText } from './agents.ts'

const like = (system: string, browser: string) =>
  `Mozilla/5.0 (${system}) AppleWebKit/537.36 (KHTML, like Gecko) ${browser}`

test.each([
  [like('Windows NT 10.0; Win64; x64', 'Chrome/142.0.0.0 Safari/537.36 Edg/142.0.0.0'), 'Edge · Windows'],
  [like('Linux; Android 10; K', 'Chrome/142.0.0.0 Mobile Safari/537.36'), 'Chrome · Android'],
  [
    like('Linux; Android 13; SM-T500', 'SamsungBrowser/25.0 Chrome/121.0.0.0 Safari/537.36'),
    'Samsung Internet · Android',
  ],
  [like('iPad; CPU OS 17_5 like Mac OS X', 'Version/17.5 Mobile/15E148 Safari/604.1'), 'Safari · iPad'],
  ['Mozilla/5.0 (X11; Linux x86_64; rv:144.0) Gecko/20100101 Firefox/144.0', 'Firefox · Linux'],
  ['curl/8.5.0', 'curl/8.5.0'],
  ['x'.repeat(200), 'x'.repeat(64)],
  ['', ''],
])('%s is %s', (agent, text) => {
  expect(agentText(agent)).toBe(text)
})
