import type { Sample } from './parts/code.ts'
import { callUrl, type SampleCall } from './samples.ts'

/** Returns clients in curl, TypeScript, Python and Go that wait as Retry-After says before they repeat a call. */
export function retrySamples(call: SampleCall): readonly Sample[] {
  const url = callUrl(call)
  return [
    {
      label: 'curl',
      code: `# curl waits as Retry-After says\ncurl --retry 3 -H "X-API-Key: $PERIPLUS_KEY" \\\n  "${url}"`,
    },
    { label: 'TypeScript', code: typescript(url) },
    { label: 'Python', code: python(url) },
    { label: 'Go', code: go(url) },
  ]
}

const typescript = (url: string): string => `import { setTimeout } from 'node:timers/promises'

async function call(url: string): Promise<Response> {
  for (;;) {
    const response = await fetch(url, { headers: { 'X-API-Key': process.env.PERIPLUS_KEY! } })
    const wait = response.headers.get('Retry-After')
    if (wait === null) return response
    await response.body?.cancel()
    await setTimeout(Number(wait) * 1000)
  }
}

const response = await call('${url}')
console.log(await response.json())`

const python = (url: string): string => `import os
import time
import requests


def call(url: str) -> requests.Response:
    while True:
        response = requests.get(url, headers={"X-API-Key": os.environ["PERIPLUS_KEY"]}, timeout=30)
        if "Retry-After" not in response.headers:
            return response
        time.sleep(int(response.headers["Retry-After"]))


print(call("${url}").json())`

const go = (url: string): string => `package main

import (
	"io"
	"log"
	"net/http"
	"os"
	"strconv"
	"time"
)

func call(url string) (*http.Response, error) {
	for {
		request, err := http.NewRequest("GET", url, nil)
		if err != nil {
			return nil, err
		}
		request.Header.Set("X-API-Key", os.Getenv("PERIPLUS_KEY"))
		response, err := http.DefaultClient.Do(request)
		if err != nil {
			return nil, err
		}
		wait, err := strconv.Atoi(response.Header.Get("Retry-After"))
		if err != nil {
			return response, nil
		}
		response.Body.Close()
		time.Sleep(time.Duration(wait) * time.Second)
	}
}

func main() {
	response, err := call("${url}")
	if err != nil {
		log.Fatal(err)
	}
	defer response.Body.Close()
	io.Copy(os.Stdout, response.Body)
}`
