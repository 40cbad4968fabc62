import type { Sample } from '../../../web/parts/code.ts'

/** Receivers of webhooks that verify signatures with the libraries of Standard Webhooks. */
export const receiverSamples: readonly Sample[] = [
  {
    label: 'TypeScript',
    code: `import { createServer } from 'node:http'
import { Webhook } from 'standardwebhooks'

const webhook = new Webhook(process.env.WEBHOOK_SECRET!)

createServer(async (request, response) => {
  const body = Buffer.concat(await request.toArray()).toString()
  try {
    const event = webhook.verify(body, request.headers as Record<string, string>)
    response.writeHead(204).end()
    console.log(event)
  } catch {
    response.writeHead(400).end()
  }
}).listen(3000)`,
  },
  {
    label: 'Python',
    code: `import os
from flask import Flask, request
from standardwebhooks.webhooks import Webhook, WebhookVerificationError

app = Flask(__name__)
webhook = Webhook(os.environ["WEBHOOK_SECRET"])

@app.post("/webhooks")
def receive():
    try:
        event = webhook.verify(request.get_data(), dict(request.headers))
    except WebhookVerificationError:
        return "", 400
    print(event["type"], event["data"])
    return "", 204`,
  },
]
